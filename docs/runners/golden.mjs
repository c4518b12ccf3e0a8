// Compare an engine with a golden file: node golden.mjs FILE engine.mjs
// engine.mjs exports encode(text), which returns ids or throws, and perhaps decode(ids).
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [file, engine] = process.argv.slice(2);
const { encode, decode } = await import(pathToFileURL(resolve(engine)));
const data = readFileSync(file);
const start = data.indexOf(10) + 1;
const header = JSON.parse(data.toString("latin1", 0, start));
const lines = data.toString("latin1", start).split("\n").slice(0, -1);
if (header.format !== "tokharness golden" || header.version !== 1) throw Error("another format");
if (lines.length !== header.count || crc32(data.subarray(start)) !== header.crc32) {
  throw Error("the file is damaged");
}
let [differing, left] = [0, 0];
for (const row of lines.map((line) => JSON.parse(line))) {
  if (row.utf8 === null) left += 1;
  if (row.utf8 === null) continue; // a lone surrogate has no UTF-8
  const ids = attempt(() => Array.from(encode(row.text), Number));
  let wrong = JSON.stringify(ids) !== JSON.stringify(row.ids) && "ids";
  if (!wrong && ids && decode && row.decoded !== null) {
    const text = attempt(() => decode(ids));
    const hex = text === null ? null : Buffer.from(text, "utf8").toString("hex");
    wrong = hex !== row.decoded && "decoded text";
  }
  if (!wrong) continue;
  differing += 1;
  if (differing <= 10) console.log(`${wrong}: ${JSON.stringify(row.text)} ${row.ids} here ${ids}`);
}
console.log(`${differing} of ${lines.length} texts differ; ${left} have no UTF-8`);
process.exit(differing ? 1 : 0);

function attempt(call) {
  try {
    return call();
  } catch {
    return null;
  }
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}
