-- clrewrite's language server in Neovim 0.7 and newer, without plugins:
--
--   require("clrewrite").setup({ targets = { "gfx906" } })
--
-- with editors/nvim on package.path, or dofile() of this file in its place. The
-- settings are those of docs/language-server.md. :ClrewriteFix makes all fixes
-- that pay; { fix_on_save = true } does so whenever a kernel is written.
local M = {}

-- Makes all fixes of a buffer; waits for the search, `timeout` ms at most.
function M.fix(buffer, timeout)
  buffer = buffer or 0
  local params = vim.lsp.util.make_formatting_params({})
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/formatting",
    params, timeout or 60000)
  for id, answer in pairs(answers or {}) do
    local client = vim.lsp.get_client_by_id(id)
    if client and client.name == "clrewrite" and answer.result then
      vim.lsp.util.apply_text_edits(answer.result,
        vim.api.nvim_get_current_buf(), client.offset_encoding)
    end
  end
end

function M.setup(options)
  options = vim.deepcopy(options or {})
  local fix_on_save = options.fix_on_save
  local cmd = options.cmd or { "clrewrite-lsp" }
  options.fix_on_save, options.cmd = nil, nil
  if vim.tbl_isempty(options) then
    options = vim.empty_dict()
  end
  local client
  local function attach(args)
    if not client or not vim.lsp.get_client_by_id(client) then
      client = vim.lsp.start_client({
        name = "clrewrite",
        cmd = cmd,
        init_options = options,
        root_dir = vim.fn.getcwd(),
      })
    end
    vim.lsp.buf_attach_client(args.buf, client)
    vim.api.nvim_create_autocmd(
      { "BufEnter", "CursorHold", "InsertLeave", "BufWritePost" },
      { buffer = args.buf, callback = vim.lsp.codelens.refresh })
    if fix_on_save then
      vim.api.nvim_create_autocmd("BufWritePre", {
        buffer = args.buf,
        callback = function() M.fix(args.buf) end,
      })
    end
    vim.api.nvim_buf_create_user_command(args.buf, "ClrewriteFix",
      function() M.fix(args.buf) end, {})
  end
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" },
    { pattern = { "*.cl", "*.opencl", "*.ocl", "*.clh" }, callback = attach })
end

return M
