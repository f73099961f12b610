// A file as it was read, and a unit's text in it.
#pragma once

#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite::pipeline {

class FileText {
public:
  /// \p Of, which must live as long, tells the file, and where in it.
  explicit FileText(const Unit &Of) : Of(Of) {}

  /// Reads the file; where it is \p ToWrite, fails as well if that won't work.
  llvm::Error read(bool ToWrite);
  /// It is long enough to hold the unit.
  bool holdsUnit() const { return place().End <= Bytes.size(); }

  /// All of it.
  const std::string &bytes() const { return Bytes; }
  /// The unit's text.
  std::string text() const;
  /// Where that starts in the file, 1-based.
  unsigned line() const;
  /// The line of the file, as it was given, for one of the text.
  unsigned lineInFile(unsigned OfText) const;
  /// \p E, whose LineOfText counts in the text, with its place in the file as
  /// it was given, where it stands in there.
  SourceError placed(SourceError E) const;
  /// The parts of the text that stand in \p Lines of the file as it was given;
  /// none, for all of it, where there are no lines.
  std::optional<Ranges> partsOf(llvm::ArrayRef<LineRange> Lines) const;
  /// All of the file with \p Text in the place of the unit's.
  std::string with(llvm::StringRef Text) const;

  /// The same bytes still stand on the disk, in the same file: no link has
  /// taken its place.
  bool isAsRead() const;
  /// Makes \p New all of the file where \p Old still stands in it.
  llvm::Error replace(const std::string &Old, llvm::StringRef New) const;
  /// The unit's text as it stands there now, after with() was written.
  llvm::Expected<std::string> textNow() const;

  /// Lines and offsets of \p R, which count from the text's start, count from
  /// the file's then.
  void countFromStart(report::FileReport &R) const;

private:
  const Unit &Of;
  std::string Bytes;
  std::string Real; ///< its path with links followed, as it was read

  Part place() const { return Of.Within.value_or(Part{0, Bytes.size()}); }
};

} // namespace clrewrite::pipeline
