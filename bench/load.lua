-- Posts bodies in turn, and prints one line of what came of it. Arguments: the file with a body on each line, or with
-- path, encounter token and body, with tabs between them; then headers, `Name: value`.
local requests, at = {}, 0

function init(arguments)
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    for at = 2, #arguments do
        local name, value = arguments[at]:match("^([^:]+): (.*)$")
        wrk.headers[name] = value
    end
    for body in io.lines(arguments[1]) do
        local path, token, own = body:match("^([^\t]+)\t([^\t]+)\t(.*)$")
        if path then
            wrk.headers["Encounter-Token"] = token
        end
        requests[#requests + 1] = wrk.format(nil, path, nil, own or body)
    end
end

function request()
    at = at % #requests + 1
    return requests[at]
end

function done(summary, latency)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format("load %d %d %d %d %d\n",
        summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
