$ printf '%s\n' 'init() { f "{\"id\": 1, \"method\": \"initialize\", \"params\": {}}"; }' 'f() { printf "Content-Length: %d\r\n\r\n%s" "$(printf %s "$1" | wc -c)" "$1"; }' 'open() { f "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": {\"uri\": \"file:///tmp/a.fut\", \"text\": \"$1\"}}}"; }' 'ask() { f "{\"id\": $1, \"method\": \"textDocument/$2\", \"params\": {\"textDocument\": {\"uri\": \"file:///tmp/a.fut\"}, \"position\": {\"line\": $3, \"character\": $4}}}"; }' 'bye() { f "{\"id\": 99, \"method\": \"shutdown\"}"; f "{\"method\": \"exit\"}"; }' 'show() { tr -d "\r" | sed "s/Content-Length: [0-9]*//; s/}Content-Length.*/}/" | grep -v "^\$"; }' > lib.sh
$ . ./lib.sh; { init; bye; } | dagaz lsp | show
{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"textDocumentSync": {"openClose": true, "change": 1}, "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true}, "serverInfo": {"name": "dagaz"}}}
{"jsonrpc": "2.0", "id": 99, "result": null}
$ . ./lib.sh; { init; open 'def x = y'; f '{"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///tmp/a.fut"}, "contentChanges": [{"text": "def x = 1"}]}}'; f '{"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///tmp/a.fut"}}}'; bye; } | dagaz lsp | show
{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"textDocumentSync": {"openClose": true, "change": 1}, "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true}, "serverInfo": {"name": "dagaz"}}}
{"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": {"uri": "file:///tmp/a.fut", "diagnostics": [{"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}}, "severity": 1, "source": "dagaz", "code": "unknown-name", "message": "Unknown name \"y\"."}]}}
{"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": {"uri": "file:///tmp/a.fut", "diagnostics": [{"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}}, "severity": 2, "source": "dagaz", "code": "defaulted", "message": "Defaulting ambiguous type to i32."}]}}
{"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": {"uri": "file:///tmp/a.fut", "diagnostics": []}}
{"jsonrpc": "2.0", "id": 99, "result": null}
$ . ./lib.sh; { init; open '-- | Twice.\ndef f (x: f64) = 2 * x\ndef g (s: f64) (n: i64) = let y = f (f64.sin s) in y + f64.i64 n\ntype t = i32\ndef h (k: t) = map f [1.0]'; ask 2 hover 1 4; ask 3 hover 2 34; ask 4 hover 2 41; ask 5 hover 2 16; ask 6 hover 1 19; ask 7 hover 4 17; ask 8 hover 2 4; ask 9 hover 0 3; ask 10 definition 2 34; ask 11 definition 2 51; ask 12 definition 4 10; ask 13 definition 2 41; bye; } | dagaz lsp | show | sed 's/"jsonrpc": "2.0", //'
{"id": 1, "result": {"capabilities": {"textDocumentSync": {"openClose": true, "change": 1}, "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true}, "serverInfo": {"name": "dagaz"}}}
{"method": "textDocument/publishDiagnostics", "params": {"uri": "file:///tmp/a.fut", "diagnostics": [{"range": {"start": {"line": 4, "character": 7}, "end": {"line": 4, "character": 8}}, "severity": 2, "source": "dagaz", "code": "unused-name", "message": "Unused name \"k\".\nHint: write \"_k\" if that is meant."}]}}
{"id": 2, "result": {"contents": {"kind": "markdown", "value": "```futhark\nf : (x: f64) -> f64\n```\n\nTwice.\n\nDerivatives: `jvp : f64 -> f64 -> f64`, `vjp : f64 -> f64 -> f64`"}, "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}}}}
{"id": 3, "result": {"contents": {"kind": "markdown", "value": "```futhark\nf : (x: f64) -> f64\n```\n\nTwice.\n\nDerivatives: `jvp : f64 -> f64 -> f64`, `vjp : f64 -> f64 -> f64`"}, "range": {"start": {"line": 2, "character": 34}, "end": {"line": 2, "character": 35}}}}
{"id": 4, "result": {"contents": {"kind": "markdown", "value": "```futhark\nsin : f64 -> f64\n```\n\nSine of an angle in radians.\n\nPartial derivatives (of operands a, b with result r): `cos(a)`"}, "range": {"start": {"line": 2, "character": 37}, "end": {"line": 2, "character": 44}}}}
{"id": 5, "result": {"contents": {"kind": "markdown", "value": "```futhark\nn : i64\n```\n\nConstant to derivatives."}, "range": {"start": {"line": 2, "character": 16}, "end": {"line": 2, "character": 17}}}}
{"id": 6, "result": {"contents": {"kind": "markdown", "value": "```futhark\n* : f64 -> f64 -> f64\n```\n\nPartial derivatives (of operands a, b with result r): `b`, `a`"}, "range": {"start": {"line": 1, "character": 19}, "end": {"line": 1, "character": 20}}}}
{"id": 7, "result": {"contents": {"kind": "markdown", "value": "```futhark\nmap : (f: f64 -> f64) -> (as: [n]f64) -> *[n]f64\n```\n\nA function of every element.\n\nReverse derivative: element by element; what the function captures gets the sum over the elements."}, "range": {"start": {"line": 4, "character": 15}, "end": {"line": 4, "character": 18}}}}
{"id": 8, "result": {"contents": {"kind": "markdown", "value": "```futhark\ng : (s: f64) -> (n: i64) -> f64\n```\n\nDerivatives: `jvp : (f64, i64) -> (f64, i64) -> f64`, `vjp : (f64, i64) -> f64 -> (f64, i64)`"}, "range": {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 5}}}}
{"id": 9, "result": null}
{"id": 10, "result": {"uri": "file:///tmp/a.fut", "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}}}}
{"id": 11, "result": {"uri": "file:///tmp/a.fut", "range": {"start": {"line": 2, "character": 30}, "end": {"line": 2, "character": 31}}}}
{"id": 12, "result": {"uri": "file:///tmp/a.fut", "range": {"start": {"line": 3, "character": 5}, "end": {"line": 3, "character": 6}}}}
{"id": 13, "result": null}
{"id": 99, "result": null}
$ . ./lib.sh; { init; open 'def   f x=x'; f '{"id": 2, "method": "textDocument/formatting", "params": {"textDocument": {"uri": "file:///tmp/a.fut"}}}'; open 'def f = ('; f '{"id": 3, "method": "textDocument/formatting", "params": {"textDocument": {"uri": "file:///tmp/a.fut"}}}'; ask 4 hover 0 4; bye; } | dagaz lsp | show | grep id
{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"textDocumentSync": {"openClose": true, "change": 1}, "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true}, "serverInfo": {"name": "dagaz"}}}
{"jsonrpc": "2.0", "id": 2, "result": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 11}}, "newText": "def f x = x\n"}]}
{"jsonrpc": "2.0", "id": 3, "result": null}
{"jsonrpc": "2.0", "id": 4, "result": null}
{"jsonrpc": "2.0", "id": 99, "result": null}
$ . ./lib.sh; { ask 1 hover 0 0; init; f '{"id": 2, "method": "no/such"}'; f '{"method": "$/cancel"}'; f 'nonsense'; f '[1, 2]'; f '{"id": "x"}'; f '{"id": 5, "method": "textDocument/hover", "params": [1]}'; f '{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": 7}}}'; ask 6 hover 1e99 -5; bye; } | dagaz lsp | show
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32002, "message": "the server is not initialised"}}
{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"textDocumentSync": {"openClose": true, "change": 1}, "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true}, "serverInfo": {"name": "dagaz"}}}
{"jsonrpc": "2.0", "id": 2, "error": {"code": -32601, "message": "no such method"}}
{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "this is no JSON"}}
{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "neither a request nor a notification"}}
{"jsonrpc": "2.0", "id": "x", "error": {"code": -32600, "message": "neither a request nor a notification"}}
{"jsonrpc": "2.0", "id": 5, "result": null}
{"jsonrpc": "2.0", "id": 6, "result": null}
{"jsonrpc": "2.0", "id": 99, "result": null}
$ . ./lib.sh; { init; f "$(printf '[%.0s' $(seq 5000))"; open "def f = $(printf '(%.0s' $(seq 5000))"; bye; } | dagaz lsp | show | grep -v capab
{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "this is no JSON"}}
{"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": {"uri": "file:///tmp/a.fut", "diagnostics": [{"range": {"start": {"line": 0, "character": 1008}, "end": {"line": 0, "character": 1009}}, "severity": 1, "source": "dagaz", "code": "nesting", "message": "This is nested more than 2000 levels deep."}]}}
{"jsonrpc": "2.0", "id": 99, "result": null}
$ . ./lib.sh; { init; printf 'Content-Length: 99999999999999999999\r\n\r\n{}'; } | dagaz lsp | show | grep -v capab; printf 'Content-Length: -1\r\n\r\n' | dagaz lsp | show; printf 'Content-Type: x\r\n\r\n{}' | dagaz lsp | show; printf 'Content-Length: 100\r\n\r\n{' | dagaz lsp; dagaz lsp < /dev/null
{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "a frame without a usable length"}}
{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "a frame without a usable length"}}
{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "a frame without a usable length"}}
[1]
