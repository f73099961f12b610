// Reading a unit's file, and counting in it.
#include "pipeline/FileText.h"
#include "frontend/RawStrings.h"
#include "source/File.h"
#include "source/Lines.h"
#include "source/RealPaths.h"

using namespace llvm;

namespace clrewrite::pipeline {

Error FileText::read(bool ToWrite) {
  if (Of.Text) {
    if (Error E = checkText(Of.Path, *Of.Text))
      return E;
    Bytes = *Of.Text;
    return Error::success();
  }
  Expected<std::string> All = readText(Of.Path, Of.Folder);
  if (!All)
    return All.takeError();
  if (ToWrite)
    if (Error E = checkWritable(Of.Path))
      return E;
  Bytes = std::move(*All);
  Real = realPath(Of.Path);
  return Error::success();
}

std::string FileText::text() const {
  Part P = place();
  std::string Text = Bytes.substr(P.Begin, P.End - P.Begin);
  return P.Escaped ? frontend::unescaped(Text) : Text;
}

unsigned FileText::line() const { return lineAt(Bytes, place().Begin); }

/// An ordinary literal is one line of its file.
unsigned FileText::lineInFile(unsigned OfText) const {
  return unsigned(long(line()) - 1 - Of.MovedLines) +
         (place().Escaped ? 1 : OfText);
}

SourceError FileText::placed(SourceError E) const {
  if (E.Path.empty())
    E.Path = Of.Path;
  if (!E.LineOfText)
    return E;
  E.Path = Of.Path;
  E.Line = lineInFile(E.LineOfText);
  Part P = place();
  if (P.Escaped)
    E.Column = 0;
  else if (E.LineOfText == 1) // what stands before it in its line
    E.Column +=
        unsigned(StringRef(Bytes).take_front(P.Begin).size() -
                 (StringRef(Bytes).take_front(P.Begin).rfind('\n') + 1));
  return E;
}

std::optional<Ranges> FileText::partsOf(ArrayRef<LineRange> Lines) const {
  if (Lines.empty())
    return std::nullopt;
  auto First = size_t(long(line()) - Of.MovedLines);
  std::vector<LineRange> Own;
  for (LineRange L : Lines)
    if (L.Last >= First)
      Own.push_back({std::max(L.First, First) - First + 1, L.Last - First + 1});
  return bytesOf(text(), Own);
}

std::string FileText::with(StringRef Text) const {
  Part P = place();
  return Bytes.substr(0, P.Begin) +
         (P.Escaped ? frontend::escaped(Text) : Text.str()) +
         Bytes.substr(P.End);
}

bool FileText::isAsRead() const {
  Expected<std::string> Now = readText(Of.Path, Of.Folder);
  if (Now)
    return *Now == Bytes && realPath(Of.Path) == Real;
  consumeError(Now.takeError());
  return false;
}

Error FileText::replace(const std::string &Old, StringRef New) const {
  return exchangeText(Of.Path, Real, Old, New);
}

Expected<std::string> FileText::textNow() const {
  Expected<std::string> Now = readText(Of.Path, Of.Folder);
  if (!Now)
    return Now.takeError();
  Part P = place();
  std::string Text =
      StringRef(*Now).drop_front(P.Begin).drop_back(Bytes.size() - P.End).str();
  return P.Escaped ? frontend::unescaped(Text) : Text;
}

void FileText::countFromStart(report::FileReport &R) const {
  auto Begin = unsigned(long(place().Begin) - Of.MovedBytes);
  bool OneLine = place().Escaped;
  auto Move = [&](auto &Site) {
    Site.Line = lineInFile(Site.Line);
    Site.Offset = Begin + (OneLine ? 0 : Site.Offset);
  };
  for (select::Outcome &O : R.Result.Outcomes) {
    Move(O);
    if (O.Changes)
      for (Edit &E : *O.Changes)
        E.Offset += Begin;
  }
  for (rewrite::Declined &D : R.Result.Declines)
    Move(D);
  for (advice::Advice &A : R.Advised)
    Move(A);
  for (select::SearchNote &N : R.Result.Log)
    for (std::vector<select::Outcome> *List : {&N.From, &N.Tried})
      for (select::Outcome &O : *List)
        Move(O);
  for (rewrite::KernelInfo &K : R.Kernels)
    K.Line = K.Line ? lineInFile(K.Line) : 0;
  for (LineRange &L : R.Skipped)
    L = {lineInFile(unsigned(L.First)), lineInFile(unsigned(L.Last))};
  for (rewrite::Warning &W : R.Warnings)
    W.Line = W.Line ? lineInFile(W.Line) : 0;
}

} // namespace clrewrite::pipeline
