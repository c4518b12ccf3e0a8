// engine: gpt-tokenizer
// package: gpt-tokenizer
// names: cl100k_base gpt2 o200k_base o200k_harmony p50k_base p50k_edit r50k_base
//
// gpt-tokenizer, with the vocabularies that it carries.

export async function load({name}, library) {
    const {version} = await library("gpt-tokenizer");
    const {default: encoding} = await library(`gpt-tokenizer/encoding/${name}`);
    const ALL = {allowedSpecial: "all"};
    const NONE = {disallowedSpecial: new Set()};
    return {
        info: {
            name,
            version: `gpt-tokenizer ${version}`,
            special_tokens: Object.fromEntries(encoding.specialTokensEncoder ?? []),
            algorithm: "byte-level BPE",
        },
        operations: {
            encode: (text) => encoding.encode(text),
            encode_ordinary: (text) => encoding.encode(text, NONE),
            encode_special: (text) => encoding.encode(text, ALL),
            count: (text) => encoding.countTokens(text, NONE),
            decode: (ids) => encoding.decode(ids),
            decode_stream: (ids) => [...encoding.decodeGenerator(ids)],
        },
    };
}
