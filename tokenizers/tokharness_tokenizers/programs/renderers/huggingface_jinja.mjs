// renderer: @huggingface/jinja
// package: @huggingface/jinja
//
// The engine of transformers.js and of node-llama-cpp, as transformers.js calls it.

import {readFileSync} from "node:fs";

export async function load({template: file}, library) {
    const {Environment, Template, version} = await library("@huggingface/jinja");
    const {template, variables, now} = JSON.parse(readFileSync(file, "utf-8"));
    const fixed = new Date(now);
    globalThis.Date = class extends Date { // for strftime_now
        constructor(...given) {
            super(...(given.length ? given : [fixed]));
        }
    };
    let refusal;
    const {set} = Environment.prototype;
    Environment.prototype.set = function (name, value) {
        const refuse = (message) => {
            refusal = String(message);
            return value(message);
        };
        return set.call(this, name, name === "raise_exception" ? refuse : value);
    };
    let compiled;
    try {
        compiled = new Template(template);
    } catch (error) {
        const failure = {failure: "crash", message: error.message};
        return {info: {version: `@huggingface/jinja ${version}`, failure}, operations: {}};
    }
    const render = ({messages, options}) => {
        const given = {tools: null, documents: null, add_generation_prompt: false};
        refusal = null;
        try {
            return {text: compiled.render({...given, ...variables, ...options, messages})};
        } catch (error) {
            if (refusal === null)
                throw error;
            return {failure: "refusal", message: refusal};
        }
    };
    return {info: {version: `@huggingface/jinja ${version}`}, operations: {render}};
}
