// renderer: llama.cpp
// package: node-llama-cpp
//
// The engine of llama.cpp, as node-llama-cpp compiles it; the package itself takes @huggingface/jinja
// first, and this engine where that one does not parse a template.

import {readFileSync} from "node:fs";

import {started} from "../engines/llama_cpp.mjs";

const REFUSAL = "Jinja Exception: ";

const two = (number) => String(number).padStart(2, "0");

/** A text of a date by the codes that templates use; others stay as they are. */
function formatted(date, form) {
    const name = (options) => date.toLocaleString("en-US", options);
    const codes = {
        "%Y": String(date.getFullYear()),
        "%m": two(date.getMonth() + 1),
        "%d": two(date.getDate()),
        "%b": name({month: "short"}),
        "%B": name({month: "long"}),
        "%a": name({weekday: "short"}),
        "%A": name({weekday: "long"}),
        "%H": two(date.getHours()),
        "%M": two(date.getMinutes()),
        "%S": two(date.getSeconds()),
    };
    return form.replaceAll(/%./g, (code) => codes[code] ?? code);
}

/** The template with the time of the other renderers: the engine has no other clock than its own. */
function withClock(template, now) {
    if (!template.includes("strftime_now"))
        return template;
    const forms = [...template.matchAll(/(['"])((?:(?!\1)[^\\])*%[A-Za-z](?:(?!\1)[^\\])*)\1/g)];
    const rows = [...new Set(forms.map(([, , form]) => form))].map((form) =>
        `{%- if form == ${JSON.stringify(form)} -%}${formatted(now, form)}{%- endif -%}`);
    return `{%- macro strftime_now(form) -%}${rows.join("")}{%- endmacro -%}${template}`;
}

/** How the engine fails: a refusal of the template, or an error with the line. */
function failed({message}) {
    const place = message.indexOf(REFUSAL);
    if (place >= 0)
        return {failure: "refusal", message: message.slice(place + REFUSAL.length)};
    const line = Number(/ at line (\d+),/.exec(message)?.[1] ?? 0);
    return {failure: "crash", message: message.split("\n").at(-1), line};
}

export async function load({template: file}, library) {
    const {llama, version} = await started(library);
    const {AddonJinjaRenderer} = llama._bindings;
    if (AddonJinjaRenderer === undefined)
        throw new Error(`${version} does not offer llama.cpp's engine; node-llama-cpp 3.22 does`);
    const {template, variables, now} = JSON.parse(readFileSync(file, "utf-8"));
    const info = {version};
    let compiled;
    try {
        compiled = new AddonJinjaRenderer(withClock(template, new Date(now)));
    } catch (error) {
        return {info: {...info, failure: failed(error)}, operations: {}};
    }
    const render = ({messages, options}) => {
        const given = {tools: null, documents: null, add_generation_prompt: false};
        try {
            return {text: compiled.render({...given, ...variables, ...options, messages})};
        } catch (error) {
            return failed(error);
        }
    };
    return {info, operations: {render}};
}
