#!/bin/sh
# changelog.sh CHANGELOG.md MAINTAINER: the same in Debian's form, its lines
# filled anew. What is not released has the date SOURCE_DATE_EPOCH.
set -eu
file=$1
date=$(LC_ALL=C date -u -R -d "@${SOURCE_DATE_EPOCH:?}")
awk -v maintainer="$2" -v date="$date" '
  function flush(  i, n, words, line) {
    n = split(text, words, " ")
    line = indent mark
    for (i = 1; i <= n; i++) {
      if (length(line) + 1 + length(words[i]) > 79 && i > 1) {
        print line
        line = indent " "
      }
      line = line " " words[i]
    }
    if (n) print line
    text = ""
  }
  function close_entry() {
    flush()
    if (open) printf "\n -- %s  %s\n\n", maintainer, date
    open = 0
  }
  /^## / {
    close_entry()
    printf "clrewrite (%s-1) unstable; urgency=medium\n\n", $2
    open = 1
    next
  }
  open && /^ *- / {
    flush()
    indent = /^-/ ? "  " : "    "
    mark = /^-/ ? "*" : "-"
    sub(/^ *- /, "")
    text = $0
    next
  }
  open { text = text " " $0 }
  END  { close_entry() }
' "$file"
