// Serves a tokenizer over JSON lines: one object a line, ASCII, answers in the order of requests.
// The protocol is that of targets `command:PROGRAM`.
//
//     node --conditions=import json_lines.mjs PROGRAM NODE_MODULES KIND VALUE
//
// PROGRAM has `load(vocabulary, library)`, which returns `info`, the answer to the request `info`,
// and `operations`, for each operation a function of one item. `vocabulary` has `file`, or `name`
// for one that the package carries. `library(name)` imports a module of a package in NODE_MODULES.
// Answers go to the descriptor that TOKHARNESS_ANSWERS names, or else to standard output.

import {readFileSync, writeSync} from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {pathToFileURL} from "node:url";

const FIELDS = ["texts", "ids", "bytes"];
const DESCRIPTOR = Number(process.env.TOKHARNESS_ANSWERS ?? 1);

const [program, folder, kind, value] = process.argv.slice(2);
console.log = console.info = console.debug = console.error;
process.stdout.write = process.stderr.write.bind(process.stderr);
await serve(await loaded());
process.exit(0);

/** Load the tokenizer; a file that it refuses is the answer to each request. */
async function loaded() {
    try {
        const module = await import(pathToFileURL(program));
        return await module.load({[kind]: value}, library);
    } catch (error) {
        return {info: {error: oneLine(error)}, operations: {}};
    }
}

async function library(name) {
    const parts = name.split("/").slice(0, name.startsWith("@") ? 2 : 1);
    const description = path.join(folder, ...parts, "package.json");
    let version, main;
    try {
        ({version, main} = JSON.parse(readFileSync(description)));
        const require = createRequire(path.join(folder, "here.js"));
        main = require.resolve(name);
    } catch (error) {
        // A package that has modules for `import` alone, or the built file of one is missing.
        if (main === undefined || name !== parts.join("/"))
            fail(`${name} is not in ${folder}: npm install ${parts.join("/")}`);
        main = path.join(folder, name, main);
    }
    try {
        if (main.endsWith(".json"))
            return JSON.parse(readFileSync(main, "utf-8"));
        const module = await import(pathToFileURL(main));
        const ofCommonJs = typeof module.default === "object" ? module.default : {};
        return {version, ...ofCommonJs, ...module};
    } catch (error) {
        fail(`${name} in ${folder} cannot be loaded: ${oneLine(error)}`);
    }
}

async function serve({info, operations}) {
    const answer = {...info, ops: [...(info.ops ?? []), ...Object.keys(operations)]};
    for await (const line of lines(process.stdin)) {
        const request = JSON.parse(line);
        const written = request.op === "info"
            ? answer : {results: await results(request, operations)};
        write(ascii(JSON.stringify(written)) + "\n");
    }
}

function write(text) {
    const bytes = Buffer.from(text, "latin1");
    for (let start = 0; start < bytes.length;) {
        try {
            start += writeSync(DESCRIPTOR, bytes, start);
        } catch (error) {
            if (error.code !== "EAGAIN") // the pipe is full
                throw error;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
    }
}

async function results(request, operations) {
    const items = request[FIELDS.find((field) => field in request)];
    const operation = operations[request.op];
    const given = [];
    for (const item of items) {
        try {
            const value = operation(item);
            given.push(jsonOf(request.op, value instanceof Promise ? await value : value));
        } catch (error) {
            given.push({error: oneLine(error), type: error?.name ?? "Error"});
        }
    }
    return given;
}

function jsonOf(op, value) {
    if (value instanceof Uint8Array) {
        const hex = Buffer.from(value).toString("hex");
        return op === "decode" ? {bytes: hex} : hex;
    }
    return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

async function* lines(stream) {
    let parts = [];
    for await (const chunk of stream) {
        let start = 0;
        for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
            parts.push(chunk.subarray(start, end));
            yield Buffer.concat(parts).toString("latin1");
            parts = [];
        }
        parts.push(chunk.subarray(start));
    }
}

function ascii(json) {
    return json.replace(
        /[\u007f-\uffff]/g,
        (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
    );
}

function fail(message) {
    process.stderr.write(message + "\n");
    process.exit(2);
}

function oneLine(error) {
    return String(error?.message ?? error).split(/\s+/).join(" ").slice(0, 300);
}
