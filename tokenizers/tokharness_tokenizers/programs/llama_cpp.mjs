// llama.cpp, through the package node-llama-cpp of npm, with the vocabulary of a GGUF file.
//
//     node llama_cpp.mjs FILE.gguf [NODE_MODULES]
//
// NODE_MODULES is the folder that has the package: by default that of the variable
// TOKHARNESS_NODE_MODULES, or node_modules in the working directory.
//
// Plain text is `tokenize(text, false)`, in which control tokens are text, and trusted text
// `tokenize(text, true)`; neither adds tokens for the start and the end of a text. Decoding shows
// special tokens. The library makes U+FFFD of a lone surrogate.

import {readFileSync} from "node:fs";
import path from "node:path";
import {pathToFileURL} from "node:url";

import {serve} from "./json_lines.mjs";

const PACKAGE = "node-llama-cpp";

// A process that an exception of llama.cpp ends would start a debugger first.
process.env.GGML_NO_BACKTRACE = "1";

const [file, given] = process.argv.slice(2);
if (file === undefined)
    fail("llama_cpp.mjs needs the path of a GGUF file: node llama_cpp.mjs FILE.gguf [NODE_MODULES]");
const folder = path.resolve(given ?? process.env.TOKHARNESS_NODE_MODULES ?? "node_modules");
const {library, release} = await load();
// The logs of llama.cpp are not answers.
const llama = await library.getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: "disabled",
    logger: () => {},
}).catch((error) => fail(`${PACKAGE} cannot start llama.cpp: ${oneLine(error)}`));

let model;
try {
    model = await llama.loadModel({modelPath: file, vocabOnly: true, gpuLayers: 0});
} catch (error) {
    await refuse(`llama.cpp refuses the file ${file}: ${oneLine(error)}`);
}
const ids = [...model.iterateAllTokens()];
const textOf = (id) => model._model.getTokenString(id);
// A file of BERT marks the start of words, where `vocab.txt` marks what continues them.
const [WORD_START, CONTINUES] = ["\u2581", "##"];
const tokenText = model.vocabularyType === "wpm" ? textOfBert : textOf;

await serve(
    {
        name: file,
        version: `llama.cpp ${llama.llamaCppRelease.release}, ${PACKAGE} ${release}`,
        n_vocab: ids.length,
        special_tokens: tokensWhere((kind) => kind.control || kind.unknown),
        added_tokens: tokensWhere((kind) => kind.userDefined && !kind.control),
        ops: ["encode_special", "token_text"],
    },
    {
        encode: (text) => model.tokenize(text, false),
        encode_special: (text) => model.tokenize(text, true),
        decode: (row) => model.detokenize(row, true),
        token_text: tokenText,
    },
);
process.exit(0);

async function load() {
    try {
        const description = JSON.parse(readFileSync(path.join(folder, PACKAGE, "package.json")));
        const main = path.join(folder, PACKAGE, description.main);
        return {library: await import(pathToFileURL(main)), release: description.version};
    } catch (error) {
        if (error.code !== "ENOENT")
            fail(`${PACKAGE} in ${folder} cannot be loaded: ${oneLine(error)}`);
        fail(`${PACKAGE} is not in ${folder}: npm install ${PACKAGE}`);
    }
}

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
    return text === "" || isName || !model.getTokenAttributes(id).normal ? text : CONTINUES + text;
}

/** Answer each request with an error: the library is there, and does not load the file. */
async function refuse(message) {
    await serve({error: message}, {});
    process.exit(0);
}

function fail(message) {
    process.stderr.write(message + "\n");
    process.exit(2);
}

function oneLine(error) {
    return String(error?.message ?? error).split(/\s+/).join(" ").slice(0, 300);
}
