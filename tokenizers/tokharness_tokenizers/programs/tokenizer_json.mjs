// Serves the classes of Hugging Face's packages for JavaScript, which have the same methods.

import {existsSync, readFileSync} from "node:fs";
import path from "node:path";

/** Return the content of a `tokenizer.json`, and of the `tokenizer_config.json` next to it. */
export function readFiles(file) {
    const config = path.join(path.dirname(file), "tokenizer_config.json");
    return [
        JSON.parse(readFileSync(file, "utf-8")),
        existsSync(config) ? JSON.parse(readFileSync(config, "utf-8")) : {},
    ];
}

/**
 * Return what serves a tokenizer. `encode` returns the ids of a text, with the options of a call.
 *
 * The packages read special tokens from every text. Decoding changes no spaces.
 */
export function served(file, version, record, tokenizer, encode) {
    const added = record.added_tokens ?? [];
    const ids = [
        ...Object.values(record.model.vocab).map((id, at) => typeof id === "number" ? id : at),
        ...added.map(({id}) => id),
    ];
    const tokensWhere = (isSpecial) => Object.fromEntries(
        added.filter(({special}) => special === isSpecial).map(({content, id}) => [content, id]),
    );
    return {
        info: {
            name: file,
            version,
            n_vocab: ids.reduce((a, b) => Math.max(a, b + 1), 0),
            special_tokens: tokensWhere(true),
            added_tokens: tokensWhere(false),
        },
        operations: {
            encode: (text) => encode(text, {add_special_tokens: false}),
            decode: (row) => row.length === 0 ? "" : tokenizer.decode(
                row, {skip_special_tokens: false, clean_up_tokenization_spaces: false},
            ),
        },
    };
}
