;;; clrewrite-eglot.el --- clrewrite's language server in eglot  -*- lexical-binding: t -*-

;;; Commentary:
;; (load "/path/to/clrewrite/editors/emacs/clrewrite-eglot.el")
;; (setq clrewrite-eglot-settings '(:targets ["gfx906"]))
;; (add-hook 'opencl-mode-hook #'eglot-ensure)
;; (add-hook 'eglot-managed-mode-hook #'clrewrite-eglot-fix-on-save)

;;; Code:
(require 'eglot)

(defvar clrewrite-eglot-settings nil
  "The server's settings, such as (:targets [\"gfx906\"] :verify \"off\").")

(unless (fboundp 'opencl-mode)
  (define-derived-mode opencl-mode c-mode "OpenCL"
    "C with what OpenCL adds.")
  (add-to-list 'auto-mode-alist '("\\.cl\\'" . opencl-mode)))

(add-to-list 'eglot-server-programs
             `(opencl-mode
               "clrewrite-lsp" :initializationOptions
               ,(lambda (_server)
                  (or clrewrite-eglot-settings (make-hash-table)))))

(defun clrewrite-eglot-fix-buffer ()
  "Make all fixes that pay; wait for the search, a minute at most.
What fails leaves the buffer as it is."
  (interactive)
  (let ((jsonrpc-default-request-timeout 60))
    (with-demoted-errors "clrewrite: %S"
      (eglot-format-buffer))))

(defun clrewrite-eglot-fix-on-save ()
  "For `eglot-managed-mode-hook': kernels are fixed when they are written."
  (when (derived-mode-p 'opencl-mode)
    (if (eglot-managed-p)
        (add-hook 'before-save-hook #'clrewrite-eglot-fix-buffer nil t)
      (remove-hook 'before-save-hook #'clrewrite-eglot-fix-buffer t))))

(provide 'clrewrite-eglot)
;;; clrewrite-eglot.el ends here
