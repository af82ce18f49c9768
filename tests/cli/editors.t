$ sed -n '/define KEYWORDS/,/"case"/p' $DAGAZ_ROOT/src/syntax/local.h | grep -o '"[a-z]*"' | tr -d '"' > words; wc -l < words; for k in $(cat words); do for f in dagaz.tmLanguage.json dagaz.vim; do grep -qw "$k" $DAGAZ_ROOT/editors/$f || echo "$f lacks $k"; done; done
24
$ printf 'Content-Length: %d\r\n\r\n' $(wc -c < $DAGAZ_ROOT/editors/dagaz.tmLanguage.json) | cat - $DAGAZ_ROOT/editors/dagaz.tmLanguage.json | dagaz lsp | tail -1
{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "neither a request nor a notification"}}