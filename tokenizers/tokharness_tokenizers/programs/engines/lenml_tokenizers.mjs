// engine: @lenml/tokenizers
// package: @lenml/tokenizers
// reads: tokenizer_json
//
// @lenml/tokenizers, with a `tokenizer.json`.

import {readFiles, served} from "../tokenizer_json.mjs";

export async function load({file}, library) {
    const {TokenizerLoader, version} = await library("@lenml/tokenizers");
    const [record, config] = readFiles(file);
    const tokenizer = TokenizerLoader.fromPreTrained({
        tokenizerJSON: record,
        tokenizerConfig: config,
    });
    const encode = (text, options) => tokenizer.encode(text, options);
    return served(file, `@lenml/tokenizers ${version}`, record, tokenizer, encode);
}
