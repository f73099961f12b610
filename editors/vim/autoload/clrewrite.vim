" clrewrite as a filter of the buffer, in Vim and Neovim: clrewrite#fix() for
" all of it, clrewrite#fix('--lines=3:9') for some lines. What fails leaves the
" buffer as it is.
" Options: let g:clrewrite_options = '--target=gfx906 --verify=off'
function! clrewrite#fix(...) abort
  let l:given = getline(1, '$')
  let l:command = 'clrewrite ' . get(g:, 'clrewrite_options', '') . ' --fix - '
        \ . join(a:000) . ' --assume-filename=' . shellescape(expand('%:p'))
  let l:fixed = systemlist(l:command . ' 2>/dev/null', l:given + [''])
  if v:shell_error || l:fixed == l:given
    return
  endif
  let l:view = winsaveview()
  call setline(1, l:fixed)
  if line('$') > len(l:fixed)
    silent execute (len(l:fixed) + 1) . ',$delete _'
  endif
  call winrestview(l:view)
endfunction
