" clrewrite's language server for ALE, which finds this file where editors/vim is
" on 'runtimepath'. Settings are those of docs/language-server.md:
"   let g:ale_opencl_clrewrite_settings = {'targets': ['gfx906']}
call ale#Set('opencl_clrewrite_executable', 'clrewrite-lsp')
call ale#Set('opencl_clrewrite_settings', {})

call ale#linter#Define('opencl', {
\   'name': 'clrewrite',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'opencl_clrewrite_executable')},
\   'command': '%e',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\   'lsp_config': {buffer -> {'clrewrite': ale#Var(buffer, 'opencl_clrewrite_settings')}},
\})
