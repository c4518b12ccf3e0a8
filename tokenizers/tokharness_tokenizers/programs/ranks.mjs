// Reads a `.tiktoken` file and its side file, in the form that ports of tiktoken take.

import {readFileSync} from "node:fs";

/** Return the fields that the package js-tiktoken names: `pat_str`, `special_tokens`, `bpe_ranks`. */
export function readRanks(file) {
    const side = JSON.parse(readFileSync(`${file}.json`, "utf-8"));
    const rows = readFileSync(file, "latin1").split(/\r?\n/).filter((line) => line.trim());
    return {
        pat_str: side.pattern,
        special_tokens: side.special_tokens ?? {},
        bpe_ranks: rows.map((row) => row.trim().split(/\s+/).reverse().join(" "))
            .map((row) => `! ${row}`).join("\n"),
    };
}

/** Return one more than the largest id of such ranks. */
export function sizeOf({special_tokens, bpe_ranks}) {
    const sizes = Object.values(special_tokens).map((id) => id + 1);
    for (const line of bpe_ranks.split("\n").filter(Boolean)) {
        const [, first, ...tokens] = line.split(" ");
        sizes.push(Number(first) + tokens.length);
    }
    return sizes.reduce((a, b) => Math.max(a, b), 0);
}
