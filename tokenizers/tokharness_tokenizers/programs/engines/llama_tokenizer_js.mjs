// engine: llama-tokenizer-js
// package: llama-tokenizer-js
// names: llama
//
// llama-tokenizer-js, with the vocabulary of Llama 1 and 2 that it carries. Texts get the space
// before them, and no token for their start.

export async function load({name}, library) {
    const {default: tokenizer, version} = await library("llama-tokenizer-js");
    return {
        info: {
            name,
            version: `llama-tokenizer-js ${version}`,
            n_vocab: tokenizer.vocabById.length,
            special_tokens: {"<unk>": 0, "<s>": 1, "</s>": 2},
        },
        operations: {
            encode: (text) => tokenizer.encode(text, false, true),
            decode: (ids) => tokenizer.decode(ids, false, true),
            token_text: (id) => tokenizer.vocabById[id],
        },
    };
}
