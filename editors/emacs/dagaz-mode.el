;;; dagaz-mode.el --- Futhark programs with the Dagaz compiler  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "27.1"))
;; Version: 0.1.0
;; Keywords: languages

;;; Commentary:

;; Colours, comments and indentation for *.fut.  With eglot (in Emacs 29) M-x eglot starts the
;; language server, `dagaz lsp'.  C-c C-f lays the buffer out with `dagaz fmt', C-c C-l checks it.
;;
;;   (add-to-list 'load-path ".../editors/emacs")
;;   (require 'dagaz-mode)

;;; Code:

(require 'rx)
(require 'compile)

(defgroup dagaz nil
  "Futhark programs with the Dagaz compiler."
  :group 'languages)

(defcustom dagaz-program "dagaz"
  "The compiler."
  :type 'string)

(defcustom dagaz-indent 2
  "Columns by which the lines of a definition are indented."
  :type 'integer)

(defconst dagaz-keywords
  '("def" "let" "in" "val" "with" "local" "open" "include" "import" "type" "entry" "module"
    "if" "then" "else" "loop" "for" "while" "do" "match" "case" "assert"))

(defconst dagaz-derivatives
  '("jvp" "jvp2" "vjp" "vjp2" "jmp" "jmp2" "mjp" "mjp2" "with_vjp"))

(defconst dagaz-types
  '("i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "f16" "f32" "f64" "bool"))

(defconst dagaz-font-lock
  `((,(rx line-start "-- ==" (* nonl)) 0 font-lock-doc-face t)
    (,(rx "-- |" (* nonl)) 0 font-lock-doc-face t)
    (,(rx "#[" (* (not (any "]\n"))) "]") 0 font-lock-preprocessor-face)
    (,(rx symbol-start (or "def" "entry") symbol-end (+ space)
          (group (any alpha "_") (* (or word (syntax symbol)))))
     1 font-lock-function-name-face)
    (,(rx symbol-start (or "type" "module") symbol-end (? (any "~^")) (+ space)
          (group (any alpha "_") (* (or word (syntax symbol)))))
     1 font-lock-type-face)
    (,(regexp-opt dagaz-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt dagaz-derivatives 'symbols) . font-lock-builtin-face)
    (,(regexp-opt dagaz-types 'symbols) . font-lock-type-face)
    (,(rx "#" (any alpha "_") (* (any alnum "_'"))) . font-lock-constant-face)
    (,(rx symbol-start (or "true" "false") symbol-end) . font-lock-constant-face)
    (,(rx "???") . font-lock-warning-face)))

(defvar dagaz-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (dolist (c (string-to-list "+*/%=!><|&^"))
      (modify-syntax-entry c "." table))
    table))

;;;; Indentation

(defun dagaz-previous-line ()
  "Move to the last line before this one that is not empty; nil when there is none."
  (let ((found nil))
    (while (and (not found) (zerop (forward-line -1)))
      (setq found (not (looking-at-p (rx (* space) line-end)))))
    found))

(defun dagaz-line-column ()
  "The column for this line.
A declaration begins at the margin, the inside of brackets after the
bracket, `in', `then' and `else' below the word they belong to, a line
after one that ends with = or -> further in, others as the line before."
  (save-excursion
    (back-to-indentation)
    (let ((open (nth 1 (syntax-ppss)))
          (word (and (looking-at (rx (+ alpha))) (match-string 0)))
          (line (line-number-at-pos)))
      (cond
       ((and (not open) (member word '("def" "entry" "type" "module" "open" "import" "local"))) 0)
       ((member word '("in" "then" "else")) (dagaz-partner-column word line))
       (open (goto-char open) (1+ (current-column)))
       ((not (dagaz-previous-line)) 0)
       (t (let ((column (current-indentation)))
            (if (looking-at-p (rx (* nonl) (or "=" "->" "do" "then" "else") (* space) line-end))
                (+ column dagaz-indent)
              column)))))))

(defun dagaz-partner-column (word line)
  "The column of the let or if that WORD on LINE belongs to."
  (let ((partner (if (equal word "in") "let" "if")) (column nil))
    (while (and (not column)
                (re-search-backward (rx symbol-start (or "let" "if") symbol-end) nil t))
      (when (and (equal (match-string 0) partner)
                 (not (nth 8 (syntax-ppss)))
                 (< (line-number-at-pos) line))
        (setq column (current-column))))
    (or column 0)))

(defun dagaz-indent-line ()
  "Indent this line."
  (let ((column (dagaz-line-column)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;; Commands

(defun dagaz-format-buffer ()
  "Lay the buffer out with `dagaz fmt'."
  (interactive)
  (let ((file (make-temp-file "dagaz" nil ".fut")) (place (point)))
    (unwind-protect
        (progn
          (write-region nil nil file nil 'quiet)
          (if (zerop (call-process dagaz-program nil nil nil "fmt" file))
              (progn (insert-file-contents file nil nil nil t) (goto-char place))
            (message "dagaz fmt: the program does not parse")))
      (delete-file file))))

(defun dagaz-check-file ()
  "Check the file with `dagaz check'."
  (interactive)
  (compile (format "%s check %s" dagaz-program (shell-quote-argument buffer-file-name))))

(defvar dagaz-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-f") #'dagaz-format-buffer)
    (define-key map (kbd "C-c C-l") #'dagaz-check-file)
    map))

(add-to-list 'compilation-error-regexp-alist-alist
             '(dagaz "^\\(?:Error\\|\\(Warning\\)\\) at \\([^:\n]+\\):\\([0-9]+\\):\\([0-9]+\\)"
                     2 3 4 (1)))
(add-to-list 'compilation-error-regexp-alist 'dagaz)

;;;###autoload
(define-derived-mode dagaz-mode prog-mode "Futhark"
  "Major mode for Futhark programs."
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "--+ *|? *")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'dagaz-indent-line)
  (setq-local font-lock-defaults '(dagaz-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.fut\\'" . dagaz-mode))

(with-eval-after-load 'eglot
  (when (boundp 'eglot-server-programs)
    (add-to-list 'eglot-server-programs (list 'dagaz-mode dagaz-program "lsp"))))

(provide 'dagaz-mode)
;;; dagaz-mode.el ends here
