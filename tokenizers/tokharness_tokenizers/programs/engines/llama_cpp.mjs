// engine: llama.cpp
// package: node-llama-cpp
// reads: gguf_file
//
// llama.cpp, through the package node-llama-cpp of npm, with the vocabulary of a GGUF file.
//
// Plain text is `tokenize(text, false)`, in which control tokens are text, and trusted text
// `tokenize(text, true)`; neither adds tokens for the start and the end of a text. Decoding shows
// special tokens. The library makes U+FFFD of a lone surrogate.

const PACKAGE = "node-llama-cpp";

// A process that an exception of llama.cpp ends would start a debugger first.
process.env.GGML_NO_BACKTRACE = "1";

// A file of BERT marks the start of words, where `vocab.txt` marks what continues them.
const [WORD_START, CONTINUES] = ["\u2581", "##"];

/** llama.cpp as the package has compiled it, and the version of both, in words. */
export async function started(library) {
    const {getLlama, version} = await library(PACKAGE);
    const llama = await getLlama({
        gpu: false,
        build: "never",
        skipDownload: true,
        progressLogs: false,
        logLevel: "disabled",
        logger: () => {},
    });
    return {llama, version: `llama.cpp ${llama.llamaCppRelease.release}, ${PACKAGE} ${version}`};
}

export async function load({file}, library) {
    const {llama, version} = await started(library);
    const model = await llama.loadModel({modelPath: file, vocabOnly: true, gpuLayers: 0});
    const ids = [...model.iterateAllTokens()];
    const textOf = (id) => model._model.getTokenString(id);

    function tokensWhere(test) {
        const chosen = ids.filter((id) => test(model.getTokenAttributes(id)));
        return Object.fromEntries(chosen.map((id) => [textOf(id), id]));
    }

    /** The text of a token in `vocab.txt`; names in brackets are the same in both. */
    function textOfBert(id) {
        const text = textOf(id);
        if (text.startsWith(WORD_START))
            return text.slice(WORD_START.length);
        const isName = text.startsWith("[") && text.endsWith("]");
        return text === "" || isName || !model.getTokenAttributes(id).normal
            ? text
            : CONTINUES + text;
    }

    return {
        info: {
            name: file,
            version,
            n_vocab: ids.length,
            special_tokens: tokensWhere((kind) => kind.control || kind.unknown),
            added_tokens: tokensWhere((kind) => kind.userDefined && !kind.control),
        },
        operations: {
            encode: (text) => model.tokenize(text, false),
            encode_special: (text) => model.tokenize(text, true),
            decode: (row) => model.detokenize(row, true),
            token_text: model.vocabularyType === "wpm" ? textOfBert : textOf,
        },
    };
}
