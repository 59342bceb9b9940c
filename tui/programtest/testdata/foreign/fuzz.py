"""Sends requests that are made from the OpenAPI document, and some that it forbids.

No reply may be a failure of the program, each must be one of those that the document
promises, and a request that the document forbids must have no effect.
"""

import base64
import http.client
import json
import os
import socket
import sys
import time
import urllib.parse

import jsonschema
from hypothesis import HealthCheck, Phase, Verbosity, given, settings, strategies as st

CASES = int(os.environ.get("CASES", "100"))  # of each route
DOCUMENT = json.load(open(sys.argv[1], encoding="utf-8"))
TOKEN = os.environ["API_TOKEN"]
HOST = os.environ["API_URL"].removeprefix("http://")


class SocketConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(os.environ["API_SOCKET"])


def resolved(schema):
    """Returns a schema of the document as one that stands alone."""
    return json.loads(json.dumps({**schema, "components": DOCUMENT["components"]}))


def exchange(method, path, header, body):
    """Sends a request, by turns to the socket and the port, again if there were too many."""
    while True:
        exchange.turn = not exchange.turn
        connection = (SocketConnection if exchange.turn else http.client.HTTPConnection)(HOST, timeout=90)
        try:
            connection.request(method, path, body, header)
            reply = connection.getresponse()
            if reply.getheader("Content-Type") == "text/event-stream":
                return reply.status, reply.headers, reply.fp.readline()
            content = reply.read()
        finally:
            connection.close()
        if reply.status != 429 or json.loads(content)["error"] != "too_many_requests":
            return reply.status, reply.headers, content
        time.sleep(0.2)


exchange.turn = False


def values(schema, name, known):
    """Returns the strategy of values that fit a schema of a request."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "integer":
        most = schema.get("maximum", 2**64 - 1)
        return st.integers(schema.get("minimum", 0), 0 if name == "timeout" else most)
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(values(schema["items"], name, known), max_size=2)
    if kind == "object":
        fields = {n: values(s, n, known) for n, s in schema.get("properties", {}).items()}
        needed = schema.get("required", [])
        return st.fixed_dictionaries(
            {n: f for n, f in fields.items() if n in needed}, optional={n: f for n, f in fields.items() if n not in needed}
        )
    if kind == "string":
        text = st.text(st.characters(blacklist_categories=["Cs"]), min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 60), 60))
        return st.sampled_from(known[name]) | text if name in known else text
    raise ValueError(f"{name}: a schema of the type {kind}")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(blacklist_categories=["Cs"]), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "agentId", "x", "", "\x00"]), inner, max_size=3),
    max_leaves=6,
)
BROKEN = st.sampled_from([b"{", b"null", b"[]", b'{"text":"\\ud800"}', b'{"text":"\xff"}', b'{"text":"a","text":"b"}', b"{} {}", b"\x00", b'{"Text":"a"}'])


@st.composite
def requests(draw, path, operation, known, harmful):
    """Draws path values, query, header, body, and whether the document forbids it."""
    place = {"path": {}, "query": {}, "header": {}}
    forbidden = harmful
    for parameter in operation.get("parameters", []):
        name, schema = parameter["name"], parameter["schema"]
        if parameter["in"] != "path" and draw(st.booleans()):
            continue
        value = draw(values(schema, name, known))
        if schema["type"] == "integer" and draw(st.integers(0, 9)) == 0:
            value = draw(st.sampled_from([-1, 2**64, 2**70, "1.5", "1e3", "x", "0x1", " 1", True]))
            forbidden = True
        if parameter["in"] == "header" and not (str(value).isascii() and str(value).isprintable()):
            continue  # no client can send it
        if parameter["in"] != "header" and str(value) in ("", ".", ".."):
            value = "root"
        place[parameter["in"]][name] = str(value)
    if path != "/metrics" and draw(st.integers(0, 9)) == 0:
        place["query"][draw(st.sampled_from(["x", "limit ", "Limit", "a[]", "\x00"]))] = "1"
        forbidden = True
    header, body = {"Authorization": "Bearer " + TOKEN, **place["header"]}, None
    if "requestBody" in operation:
        schema = resolved(operation["requestBody"]["content"]["application/json"]["schema"])
        value = draw(values(schema, "body", known))
        if harmful or draw(st.integers(0, 2)) == 0:
            name = draw(st.sampled_from([*schema.get("properties", {}), "unknown"]))
            value = draw(st.one_of(JUNK, JUNK.map(lambda junk: {**value, name: junk}), st.just({n: v for n, v in value.items() if n != name})))
        fits = jsonschema.Draft202012Validator(schema).is_valid(value)
        body = json.dumps(value, ensure_ascii=draw(st.booleans())).encode()
        if draw(st.integers(0, 9)) == 0:
            body, fits = draw(BROKEN), False
        if harmful and fits:
            value = {"unknown": True}
            body = json.dumps(value).encode()
        forbidden = forbidden or not fits
        header["Content-Type"] = draw(st.sampled_from(["application/json", "application/json; charset=utf-8"]))
        if draw(st.integers(0, 19)) == 0:
            header["Content-Type"] = draw(st.sampled_from(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"]))
            forbidden = True
    return place["path"], place["query"], header, body, forbidden


def check(operation, request, status, header, content):
    if status >= 500:
        raise AssertionError(f"{request} = {status} {content[:500]}")
    promised = operation["responses"].get(str(status)) or operation["responses"].get(f"{status // 100}XX") if status >= 200 else None
    if promised is None:
        raise AssertionError(f"{request} = {status}, which the document does not know")
    media = (header["Content-Type"] or "").split(";")[0]
    if media not in promised.get("content", {"": {}}):
        raise AssertionError(f"{request} = {status} as {media!r}")
    if not header["X-Request-Id"]:
        raise AssertionError(f"{request} = {status} without an id")
    if media == "application/json":
        jsonschema.Draft202012Validator(resolved(promised["content"][media]["schema"])).validate(json.loads(content))


def fuzz(path, method, operation, known):
    counts, made = {}, []
    # Ending the program would end the test.
    harmful = operation["operationId"] == "postQuit"
    # There is no workspace, so that no call waits, no file was changed and no command runs;
    # there are no servers, and no [[models]] to test; and undoing and dropping are for the socket alone.
    nothing = operation["operationId"] in (
        "getApprovalsId", "postApprovalsId", "getChangesId", "postUndo", "getWorktreesNamePatch", "deleteWorktreesName",
        "deleteAgentsIdProcessesProcess", "getMcpNameOutput", "postMcpNameStart", "postMcpNameStop", "postMcpNameRestart",
        "postModelsNameTest",
    )

    @settings(
        max_examples=CASES, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
    )
    @given(requests(path, operation, known, harmful))
    def run(drawn):
        place, query, header, body, forbidden = drawn
        target = path
        for name, value in place.items():
            target = target.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
        if query:
            target += "?" + urllib.parse.urlencode(query)
        status, replied, content = exchange(method.upper(), target, header, body)
        request = f"{method.upper()} {target} {header} {body!r}"
        check(operation, request, status, replied, content)
        if forbidden and status < 400:
            raise AssertionError(f"{request} = {status}, although the document forbids it")
        counts[status] = counts.get(status, 0) + 1
        if status == 201:
            made.append(json.loads(content)["agentId"])

    run()
    known["agentId"].extend(made)
    if not harmful and not nothing and not any(status < 300 for status in counts):
        raise AssertionError(f"{method} {path} was never carried out: {counts}")
    print(f"{method.upper():4} {path}: {dict(sorted(counts.items()))}", flush=True)
    return sum(counts.values())


# With a file that is kept as an artifact.
FIRST = json.dumps({"text": "hello", "attachments": [{"name": "a.txt", "data": base64.b64encode(b"long " * 20000).decode()}]}).encode()


def main():
    key = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    tasks = [json.loads(exchange("POST", "/api/submit", key, FIRST)[2])["taskId"], "none"]
    roles = [role["id"] for role in json.loads(exchange("GET", "/api/roles", key, None)[2])["roles"]]
    artifacts = [a["id"] for a in json.loads(exchange("GET", "/api/artifacts", key, None)[2])["artifacts"]]
    agents = ["root", "root", "user"]  # and those that are made
    known = {name: agents for name in ("agentId", "parentId", "agent")} | {name: tasks for name in ("taskId", "task")}
    known |= {"roleId": [*roles, "none"], "kinds": ["message", "text,task", "message,", "none"], "Last-Event-ID": ["0.0", "1.0", "99999.0", "0"]}
    total = 0
    # What ends agents comes last.
    order = lambda route: ("terminate" in route[0], "stop" in route[0], route[1] == "get", route)
    for path, method in sorted(((p, m) for p, item in DOCUMENT["paths"].items() for m in item), key=order):
        known["id"] = tasks if "/tasks" in path else artifacts if "/artifacts" in path else agents
        total += fuzz(path, method, DOCUMENT["paths"][path][method], known)
    print(f"{total} requests")


main()
