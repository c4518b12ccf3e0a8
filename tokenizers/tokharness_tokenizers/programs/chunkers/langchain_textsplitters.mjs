// chunker: @langchain/textsplitters
// package: @langchain/textsplitters
// names: characters tokens
//
// The splitters of @langchain/textsplitters: RecursiveCharacterTextSplitter, which counts UTF-16
// units, and TokenTextSplitter, which gets the vocabulary of js-tiktoken and fetches none.

export async function load({name}, library) {
    const splitters = await library("@langchain/textsplitters");
    const {version} = splitters;
    const ofTokens = name === "tokens";
    const tokenizer = ofTokens ? await tokenizerOf(library) : null;
    const made = new Map();
    const splitter = (chunkSize, chunkOverlap) => {
        const key = `${chunkSize} ${chunkOverlap}`;
        if (!made.has(key)) {
            const one = ofTokens
                ? new splitters.TokenTextSplitter({chunkSize, chunkOverlap, encodingName: "cl100k_base"})
                : new splitters.RecursiveCharacterTextSplitter({chunkSize, chunkOverlap});
            if (ofTokens)
                one.tokenizer = tokenizer;
            made.set(key, one);
        }
        return made.get(key);
    };
    const declared = ofTokens ? {counts_with: "tiktoken:cl100k_base"} : {loses: "white space"};
    const count = ofTokens
        ? (text) => tokenizer.encode(text, [], []).length : (text) => text.length;
    return {
        info: {name, version: `@langchain/textsplitters ${version}`, ...declared},
        operations: {
            split: ([text, limit, overlap]) => splitter(limit, overlap).splitText(text),
            count,
        },
    };
}

async function tokenizerOf(library) {
    const {Tiktoken} = await library("js-tiktoken/lite");
    const {default: ranks} = await library("js-tiktoken/ranks/cl100k_base");
    return new Tiktoken(ranks);
}
