" Settings for the Futhark language: comments, indentation, the compiler as :make, dagaz fmt as gq.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:--\ \|,:-- commentstring=--\ %s
setlocal expandtab shiftwidth=2 softtabstop=2 autoindent
setlocal suffixesadd=.fut include=\\<import\\s\\+\" iskeyword+='
setlocal makeprg=dagaz\ check\ %:S
setlocal errorformat=%EError\ at\ %f:%l:%c-%*\\d:%\\d%#:,%EError\ at\ %f:%l:%c-%*\\d:,
setlocal errorformat+=%WWarning\ at\ %f:%l:%c-%*\\d:%\\d%#:,%WWarning\ at\ %f:%l:%c-%*\\d:,%C%m,%Z

let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< softtabstop<"
      \ . " autoindent< suffixesadd< include< iskeyword< makeprg< errorformat<"
