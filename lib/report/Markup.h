// Writing HTML and SVG: every text is escaped, every element closed.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace clrewrite::report {

/// \p Text as it stands for itself in an element or an attribute of HTML and
/// of XML 1.0. What is no UTF-8, or a character that XML can't hold, becomes
/// U+FFFD.
std::string escapedMarkup(llvm::StringRef Text);

/// Names and values; one without a value is left out.
using Attributes =
    std::initializer_list<std::pair<llvm::StringRef, std::string>>;

/// A document on its way out. Elements that are a line of their own in the
/// source, such as rows, begin one.
class Markup {
public:
  explicit Markup(llvm::raw_ostream &OS) : OS(OS) {}

  void open(llvm::StringRef Name, Attributes List = {});
  /// Closes the innermost element.
  void close();
  void text(llvm::StringRef Text) { OS << escapedMarkup(Text); }
  /// An element with only text in it.
  void leaf(llvm::StringRef Name, llvm::StringRef Text, Attributes List = {});
  /// An element with nothing in it.
  void empty(llvm::StringRef Name, Attributes List = {});
  /// Writes text that is markup already, or a style sheet.
  void raw(llvm::StringRef Text) { OS << Text; }

private:
  llvm::raw_ostream &OS;
  std::vector<std::string> Open;

  void begin(llvm::StringRef Name, Attributes List);
};

/// An element that is open as long as this lives.
class Element {
public:
  Element(Markup &M, llvm::StringRef Name, Attributes List = {}) : M(M) {
    M.open(Name, List);
  }
  ~Element() { M.close(); }
  Element(const Element &) = delete;
  Element &operator=(const Element &) = delete;

private:
  Markup &M;
};

} // namespace clrewrite::report
