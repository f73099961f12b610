// What a run tells an editor about one document: values that pass from the
// process that did the work to the server, and the answers are made of.
#pragma once

#include "measure/Usage.h"
#include "report/Report.h"

namespace clrewrite::lsp {

/// A message at a place. Lines count from 1; 0 is none.
struct ViewNote {
  enum Kind { Error = 1, Warning = 2, Information = 3 } Severity = Error;
  unsigned Line = 0;
  /// From 1, in bytes; 0: all of the line.
  unsigned Column = 0;
  std::string Code; ///< the rewrite's name; empty where it is about none
  std::string Message;
  /// A place that belongs to it: a kernel's line, and what that is.
  unsigned RelatedLine = 0;
  std::string Related;
};

/// A kernel on a target.
struct ViewFigures {
  std::string Target;
  std::string Problem;      ///< why nothing is known; empty where something is
  measure::Usage Now, Then; ///< of the text as it is, and with its fixes
  /// Live VGPRs by line; empty unless they were asked for.
  std::map<unsigned, unsigned> Live;
  /// As report::occupancyOf has it; null unless it was asked for.
  llvm::json::Value Curves = nullptr;
};

struct ViewKernel {
  std::string Name;
  unsigned Line = 0;
  std::vector<ViewFigures> Targets;
};

/// A site of a rewrite.
struct ViewSite {
  std::string Rewrite;
  unsigned Line = 0, Offset = 0;
  bool Pays = false;
  /// What became of it, ready to be read: a line an alternative.
  std::vector<std::string> Fates;
  /// Of one that pays: a title, and the edits that make it together with those
  /// that were measured with it; empty where they have no place in the text.
  std::string Title;
  Edits Changes;
};

struct View {
  std::vector<ViewNote> Notes;
  std::vector<ViewKernel> Kernels;
  std::vector<ViewSite> Sites;
  /// The text with all fixes; none where something failed or was not asked.
  std::optional<std::string> Fixed;
};

/// What \p R, on one document, tells.
View viewOf(const report::Report &R);

llvm::json::Value toJSON(const View &V);
bool fromJSON(const llvm::json::Value &V, View &Out, llvm::json::Path P);

} // namespace clrewrite::lsp
