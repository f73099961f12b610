;;; clrewrite.el --- Fix OpenCL kernels on save  -*- lexical-binding: t -*-

;;; Commentary:
;; (add-hook 'before-save-hook #'clrewrite-fix-kernel)

;;; Code:
(defvar clrewrite-options nil
  "Options for clrewrite, such as (\"--target=gfx906\").")

(defun clrewrite-fix-buffer ()
  "Replace the buffer by what clrewrite makes of it; leave it where that fails."
  (interactive)
  (let ((fixed (generate-new-buffer " *clrewrite*"))
        (coding-system-for-write buffer-file-coding-system)
        (coding-system-for-read buffer-file-coding-system))
    (unwind-protect
        (when (eql 0 (apply #'call-process-region nil nil "clrewrite" nil
                            (list fixed nil) nil
                            (append clrewrite-options
                                    (list "--fix" "-"
                                          (concat "--assume-filename="
                                                  (or buffer-file-name
                                                      "buffer.cl"))))))
          (save-restriction ; all of the buffer was sent, and comes back
            (widen)
            (replace-buffer-contents fixed)))
      (kill-buffer fixed))))

(defun clrewrite-fix-kernel ()
  "Do `clrewrite-fix-buffer' where the file is an OpenCL kernel."
  (when (and buffer-file-name (string-match-p "\\.cl\\'" buffer-file-name))
    (clrewrite-fix-buffer)))

(provide 'clrewrite)
;;; clrewrite.el ends here
