// engine: @huggingface/tokenizers
// package: @huggingface/tokenizers
// reads: tokenizer_json
//
// Hugging Face's package tokenizers of npm, with a `tokenizer.json`.

import {readFiles, served} from "../tokenizer_json.mjs";

export async function load({file}, library) {
    const {Tokenizer, version} = await library("@huggingface/tokenizers");
    const [record, config] = readFiles(file);
    const tokenizer = new Tokenizer(record, config);
    const encode = (text, options) => tokenizer.encode(text, options).ids;
    return served(file, `@huggingface/tokenizers ${version}`, record, tokenizer, encode);
}
