// engine: @huggingface/transformers
// package: @huggingface/transformers
// reads: tokenizer_json
//
// The tokenizers of Hugging Face's package transformers of npm, with a `tokenizer.json`.

import {readFiles, served} from "../tokenizer_json.mjs";

export async function load({file}, library) {
    const {PreTrainedTokenizer, version} = await library("@huggingface/transformers");
    const [record, config] = readFiles(file);
    const tokenizer = new PreTrainedTokenizer(record, config);
    const encode = (text, options) => tokenizer.encode(text, options);
    return served(file, `@huggingface/transformers ${version}`, record, tokenizer, encode);
}
