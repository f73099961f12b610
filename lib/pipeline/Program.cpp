// Joining texts, so that each knows what stands before and behind it.
#include "pipeline/Program.h"
#include "frontend/HostKernels.h"
#include "pipeline/InputUnits.h"
#include "source/File.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<Unit> joinedUnits(std::vector<ProgramText> Texts, size_t Program) {
  std::string All;
  std::vector<size_t> Begins;
  for (const ProgramText &T : Texts) {
    All += lineMarker(All, T.Path, T.Line);
    Begins.push_back(All.size());
    All += T.Text;
  }
  std::vector<Unit> Out;
  for (auto [T, Begin] : zip(Texts, Begins)) {
    if (!T.Rewritten)
      continue;
    for (Build &B : T.Rewritten->Builds) {
      B.Before = All.substr(0, Begin);
      B.After = All.substr(Begin + T.Text.size());
      B.Program = Program;
    }
    Out.push_back(std::move(*T.Rewritten));
  }
  return Out;
}

namespace {

/// The texts of \p Path: itself, or its raw string literals.
std::vector<ProgramText> textsOf(const std::string &Path,
                                 const std::string &Text, const Build &How) {
  std::vector<ProgramText> Out;
  for (const auto &Pieces : frontend::rawTextsIn(Text))
    for (const frontend::LiteralPiece &P : Pieces) {
      Out.push_back({Path, frontend::textOf(P, Text), lineAt(Text, P.Begin)});
      if (P.isRaw())
        Out.back().Rewritten = {Path, Part{P.Begin, P.End, P.Closing}, {How}};
    }
  if (Out.empty())
    Out.push_back({Path, Text, 1, Unit{Path, std::nullopt, {How}}});
  return Out;
}

/// Headers are looked up beside each of \p Paths.
void lookBeside(ArrayRef<std::string> Paths, Build &How) {
  for (const std::string &Path : Paths) {
    StringRef Folder = sys::path::parent_path(Path);
    std::string Option = ("-I" + (Folder.empty() ? "." : Folder)).str();
    if (!is_contained(How.Options, Option))
      How.Options.push_back(std::move(Option));
  }
}

} // namespace

Expected<std::vector<Unit>> programUnits(ArrayRef<std::string> Paths) {
  Build Own;
  lookBeside(Paths, Own);
  std::vector<ProgramText> Texts;
  for (const std::string &Path : Paths) {
    if (sys::fs::is_directory(Path))
      return createStringError(Path + ": --program takes files, in the order "
                                      "in which the host puts them together");
    if (sortOf(Path) == FileSort::Host)
      return createStringError(
          Path + ": --program takes files of OpenCL C; what a host program "
                 "puts together of its strings, clrewrite capture tells");
    Expected<std::string> Text = readText(Path);
    if (!Text)
      return Text.takeError();
    append_range(Texts, textsOf(Path, *Text, Own));
  }
  if (any_of(Paths, [&](const std::string &P) { return count(Paths, P) > 1; }))
    return createStringError("--program: a file is given twice; its edits "
                             "would have two places");
  return joinedUnits(std::move(Texts), 1);
}

} // namespace clrewrite::pipeline
