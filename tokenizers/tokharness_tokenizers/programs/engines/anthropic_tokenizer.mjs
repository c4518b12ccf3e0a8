// engine: @anthropic-ai/tokenizer
// package: @anthropic-ai/tokenizer
// names: claude
//
// @anthropic-ai/tokenizer, with the vocabulary that it carries. Texts are normalized as its
// `countTokens` does it.

export async function load({name}, library) {
    const {getTokenizer, version} = await library("@anthropic-ai/tokenizer");
    const tokenizer = getTokenizer();
    const normalize = (text) => text.normalize("NFKC");
    const specialTokens = ["<EOT>", "<META>", "<META_START>", "<META_END>", "<SOS>"];
    const rows = specialTokens.map((text) => [text, tokenizer.encode(text, "all")[0]]);
    return {
        info: {
            name,
            version: `@anthropic-ai/tokenizer ${version}`,
            special_tokens: Object.fromEntries(rows),
            normalizer: "NFKC",
            algorithm: "byte-level BPE",
        },
        operations: {
            normalize,
            encode: (text) => tokenizer.encode(normalize(text), "all"),
            encode_ordinary: (text) => tokenizer.encode_ordinary(normalize(text)),
            encode_special: (text) => tokenizer.encode(normalize(text), "all"),
            decode: (ids) => tokenizer.decode(Uint32Array.from(ids)),
            token_bytes: (id) => tokenizer.decode_single_token_bytes(id),
        },
    };
}
