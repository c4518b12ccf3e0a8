// Serves a tokenizer over JSON lines: one object a line, ASCII, answers in the order of requests.
// The protocol is that of targets `command:PROGRAM`.

const FIELDS = ["texts", "ids", "bytes"];

/**
 * Answer requests from standard input until it ends.
 *
 * @param {object} info the answer to the request `info`
 * @param {Object<string, function>} operations for each operation a function of one item
 */
export async function serve(info, operations) {
    for await (const line of lines(process.stdin)) {
        const request = JSON.parse(line);
        const answer = request.op === "info" ? info : {results: results(request, operations)};
        // A process that exits drops what is not yet written.
        await written(ascii(JSON.stringify(answer)) + "\n");
    }
}

function written(line) {
    return new Promise((resolve) => process.stdout.write(line, resolve));
}

function results(request, operations) {
    const items = request[FIELDS.find((field) => field in request)];
    const operation = operations[request.op];
    return items.map((item) => {
        try {
            return operation(item);
        } catch (error) {
            return {error: String(error?.message ?? error), type: error?.name ?? "Error"};
        }
    });
}

async function* lines(stream) {
    let parts = [];
    for await (const chunk of stream) {
        let start = 0;
        for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
            parts.push(chunk.subarray(start, end));
            yield Buffer.concat(parts).toString("latin1");
            parts = [];
        }
        parts.push(chunk.subarray(start));
    }
}

function ascii(json) {
    return json.replace(
        /[\u007f-\uffff]/g,
        (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
    );
}
