// engine: js-tiktoken
// package: js-tiktoken
// reads: tiktoken_ranks
// names: cl100k_base gpt2 o200k_base p50k_base p50k_edit r50k_base
//
// js-tiktoken, tiktoken in JavaScript.

import {readRanks, sizeOf} from "../ranks.mjs";

export async function load({file, name}, library) {
    const {Tiktoken} = await library("js-tiktoken/lite");
    const {version} = await library("js-tiktoken");
    const ranks = file ? readRanks(file) : (await library(`js-tiktoken/ranks/${name}`)).default;
    const encoding = new Tiktoken(ranks);
    encoding.encode("a", [], []); // raises for a pattern that is none of JavaScript
    const tables = encoding.textMap instanceof Map && { // what it decodes with, before it is a text
        token_bytes: (id) => encoding.textMap.get(id) ?? encoding.inverseSpecialTokens[id],
    };
    return {
        info: {
            name: file ?? name,
            version: `js-tiktoken ${version}`,
            n_vocab: sizeOf(ranks),
            special_tokens: ranks.special_tokens,
            algorithm: "byte-level BPE",
        },
        operations: {
            encode: (text) => encoding.encode(text),
            encode_ordinary: (text) => encoding.encode(text, [], []),
            encode_special: (text) => encoding.encode(text, "all"),
            decode: (ids) => encoding.decode(ids),
            ...tables,
        },
    };
}
