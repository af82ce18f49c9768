" Vim syntax for the Futhark language, as Dagaz reads it.
if exists("b:current_syntax")
  finish
endif

syntax keyword futControl if then else loop for while do match case assert
syntax keyword futKeyword def let in val with local open include import type entry module
syntax keyword futBoolean true false
syntax keyword futType i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syntax keyword futDerivative jvp jvp2 vjp vjp2 jmp jmp2 mjp mjp2 with_vjp

syntax match futOperator "[-+*/%=!><|&^]\+\|\\\|\.\.[.<>]\?\|:>"
syntax match futOperator "`[A-Za-z_][A-Za-z0-9_'.]*`"
syntax match futTypeParam "'[~^]\?[A-Za-z_][A-Za-z0-9_]*"
syntax match futConstructor "#[A-Za-z_][A-Za-z0-9_']*"
syntax match futHole "???"
syntax match futNumber "\<[0-9][0-9_]*\(\.[0-9][0-9_]*\)\?\([eE][+-]\?[0-9_]\+\)\?\([iuf]\(8\|16\|32\|64\)\)\?\>"
syntax match futNumber "\<0[xX][0-9a-fA-F_]\+\(\.[0-9a-fA-F_]\+[pP][+-]\?[0-9_]\+\)\?\([iuf]\(8\|16\|32\|64\)\)\?\>"
syntax match futNumber "\<0[bB][01_]\+\([iu]\(8\|16\|32\|64\)\)\?\>"
syntax match futNumber "\<0[rR][IVXLCDM]\+\([iu]\(8\|16\|32\|64\)\)\?\>"
syntax match futChar "'\(\\[0-9]\+\|\\.\|[^'\\]\)'"
syntax region futString start=+"+ skip=+\\.+ end=+"+ end=+$+
syntax region futAttribute start="#\[" end="\]"
syntax match futComment "--.*$"
syntax match futDoc "-- |.*$"
syntax match futTest "^-- ==.*$"

highlight default link futControl Conditional
highlight default link futKeyword Keyword
highlight default link futBoolean Boolean
highlight default link futType Type
highlight default link futDerivative Special
highlight default link futOperator Operator
highlight default link futTypeParam Identifier
highlight default link futConstructor Constant
highlight default link futHole Error
highlight default link futNumber Number
highlight default link futChar Character
highlight default link futString String
highlight default link futAttribute PreProc
highlight default link futComment Comment
highlight default link futDoc SpecialComment
highlight default link futTest SpecialComment

let b:current_syntax = "futhark"
