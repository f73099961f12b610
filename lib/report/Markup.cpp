// Elements are opened and closed, and texts escaped, as HTML and SVG want it.
#include "report/Markup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clrewrite::report {

std::string escapedMarkup(StringRef Text) {
  constexpr StringLiteral Replacement = "\xEF\xBF\xBD";
  std::string Whole = json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
  std::string Out;
  for (size_t I = 0; I < Whole.size(); ++I) {
    unsigned char C = Whole[I];
    StringRef Rest = StringRef(Whole).substr(I);
    if (C == '<')
      Out += "&lt;";
    else if (C == '>')
      Out += "&gt;";
    else if (C == '&')
      Out += "&amp;";
    else if (C == '"')
      Out += "&quot;";
    else if (C == '\'')
      Out += "&#39;";
    else if (C < ' ' && C != '\t' && C != '\n')
      Out += Replacement;
    else if (Rest.starts_with("\xEF\xBF\xBE") ||
             Rest.starts_with("\xEF\xBF\xBF"))
      Out += Replacement, I += 2; // U+FFFE and U+FFFF
    else
      Out += char(C);
  }
  return Out;
}

void Markup::begin(StringRef Name, Attributes List) {
  static constexpr StringLiteral OnLines[] = {
      "article", "body",    "caption", "details", "div", "dl", "dt",
      "footer",  "g",       "h1",      "h2",      "h3",  "h4", "head",
      "header",  "li",      "main",    "meta",    "nav", "p",  "path",
      "pre",     "section", "style",   "summary", "svg", "dd", "table",
      "tbody",   "thead",   "title",   "tr",      "ul",  "ol", "figure"};
  if (is_contained(OnLines, Name))
    OS << '\n';
  OS << '<' << Name;
  for (const auto &[Attribute, Value] : List)
    if (!Value.empty())
      OS << ' ' << Attribute << "=\"" << escapedMarkup(Value) << '"';
}

void Markup::open(StringRef Name, Attributes List) {
  begin(Name, List);
  OS << '>';
  Open.push_back(Name.str());
}

void Markup::close() {
  OS << "</" << Open.back() << '>';
  Open.pop_back();
}

void Markup::leaf(StringRef Name, StringRef Text, Attributes List) {
  open(Name, List);
  text(Text);
  close();
}

void Markup::empty(StringRef Name, Attributes List) {
  begin(Name, List);
  OS << "/>";
}

} // namespace clrewrite::report
