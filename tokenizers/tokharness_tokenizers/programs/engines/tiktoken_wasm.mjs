// engine: tiktoken-wasm
// package: tiktoken
// reads: tiktoken_ranks
// names: cl100k_base gpt2 o200k_base p50k_base p50k_edit r50k_base
//
// The package tiktoken of npm: tiktoken's code in Rust as WebAssembly.

import {readRanks, sizeOf} from "../ranks.mjs";

export async function load({file, name}, library) {
    const {Tiktoken, version} = await library("tiktoken");
    const ranks = file ? readRanks(file) : await library(`tiktoken/encoders/${name}.json`);
    const encoding = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return {
        info: {
            name: file ?? name,
            version: `tiktoken (WASM) ${version}`,
            n_vocab: sizeOf(ranks),
            special_tokens: ranks.special_tokens,
            algorithm: "byte-level BPE",
        },
        operations: {
            encode: (text) => encoding.encode(text),
            encode_ordinary: (text) => encoding.encode_ordinary(text),
            encode_special: (text) => encoding.encode(text, "all"),
            decode: (ids) => encoding.decode(Uint32Array.from(ids)),
            token_bytes: (id) => encoding.decode_single_token_bytes(id),
        },
    };
}
