" clrewrite as Vim's compiler: `:compiler clrewrite`, then `:make %` lists what
" would pay, what was declined and what does not parse in the quickfix window.
" Options: let g:clrewrite_options = '--target=gfx906 --verify=off'
if exists('current_compiler')
  finish
endif
let current_compiler = 'clrewrite'

let &l:makeprg = 'clrewrite ' . get(g:, 'clrewrite_options', '')
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m
CompilerSet errorformat+=%-G%f:%l:\ kernel\ %.%#,%f:%l:\ %m,%-G%.%#
