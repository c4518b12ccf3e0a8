// engine: ai-tokenizer
// package: ai-tokenizer
// names: cl100k_base claude o200k_base p50k_base
//
// ai-tokenizer, with the vocabularies that it carries.

export async function load({name}, library) {
    const {Tokenizer, version} = await library("ai-tokenizer");
    const vocabulary = {...await library(`ai-tokenizer/encoding/${name}`)};
    const tokenizer = new Tokenizer(vocabulary);
    const ids = [...Object.keys(vocabulary.decoder), ...Object.values(vocabulary.special_tokens)];
    return {
        info: {
            name,
            version: `ai-tokenizer ${version}`,
            n_vocab: ids.reduce((a, b) => Math.max(a, Number(b) + 1), 0),
            special_tokens: vocabulary.special_tokens,
            algorithm: "byte-level BPE",
        },
        operations: {
            encode: (text) => tokenizer.encode(text),
            encode_ordinary: (text) => tokenizer.encode(text, [], []),
            encode_special: (text) => tokenizer.encode(text, "all"),
            count: (text) => tokenizer.count(text),
            decode: (row) => tokenizer.decode(row),
        },
    };
}
