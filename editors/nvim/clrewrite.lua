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

-- Inlay hints behind the lines: Neovim has its own from 0.10 only.
local namespace = vim.api.nvim_create_namespace("clrewrite")
local function show_hints(buffer, client)
  local known = client and vim.lsp.get_client_by_id(client)
  if not known or not known.initialized then
    return
  end
  local all = {
    start = { line = 0, character = 0 },
    ["end"] = { line = vim.api.nvim_buf_line_count(buffer), character = 0 },
  }
  local function show(_, hints, context)
    if context.client_id ~= client or not hints
        or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
    for _, hint in ipairs(hints) do
      -- A line that is gone meanwhile has none.
      pcall(vim.api.nvim_buf_set_extmark, buffer, namespace,
        hint.position.line, 0,
        { virt_text = { { " " .. hint.label, "Comment" } } })
    end
  end
  vim.lsp.buf_request(buffer, "textDocument/inlayHint", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = all,
  }, show)
end

function M.setup(options)
  options = vim.deepcopy(options or {})
  local fix_on_save = options.fix_on_save
  local cmd = options.cmd or { "clrewrite-lsp" }
  options.fix_on_save, options.cmd = nil, nil
  if vim.tbl_isempty(options) then
    options = vim.empty_dict()
  end
  local has_hints = options.pressure or options.hints == "on"
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
    -- A file that is read again has its own only once.
    local group = vim.api.nvim_create_augroup("clrewrite" .. args.buf, {})
    vim.api.nvim_create_autocmd(
      { "BufEnter", "CursorHold", "InsertLeave", "BufWritePost" },
      {
        group = group,
        buffer = args.buf,
        callback = function()
          local known = vim.lsp.get_client_by_id(client)
          if not known or not known.initialized then
            return
          end
          vim.lsp.codelens.refresh()
          if has_hints then
            show_hints(args.buf, client)
          end
        end,
      })
    if fix_on_save then
      vim.api.nvim_create_autocmd("BufWritePre", {
        group = group,
        buffer = args.buf,
        callback = function() M.fix(args.buf) end,
      })
    end
    vim.api.nvim_buf_create_user_command(args.buf, "ClrewriteFix",
      function() M.fix(args.buf) end, {})
  end
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" },
    { pattern = { "*.cl", "*.clcpp", "*.opencl", "*.ocl", "*.clh" }, callback = attach })
end

return M
