// YAML with places: LLVM's parser, told what each node must be.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <functional>
#include <optional>
#include <vector>

namespace clrewrite::config {

/// The first thing that is wrong ends the reading; what was read before is of
/// no use then.
class YamlReader {
public:
  using Node = llvm::yaml::Node;
  struct Key {
    llvm::StringRef Name;
    std::function<void(Node &)> Read;
  };

  /// \p Text must outlive this. A text that is too large, or nested deeper than
  /// any configuration, is not parsed: LLVM's parser calls itself for each
  /// level.
  YamlReader(llvm::StringRef Path, llvm::StringRef Text);

  /// Hands the value of each key to its reader; an empty text has none.
  void document(llvm::ArrayRef<Key> Keys);
  /// \p What says what the mapping is, for errors.
  void mapping(Node &N, const llvm::Twine &What, llvm::ArrayRef<Key> Keys);
  void sequence(Node &N, const llvm::Twine &What,
                llvm::function_ref<void(Node &)> Each);

  /// The text of a scalar; empty, and an error, where it is none.
  std::string text(Node &N);
  /// A list of texts, or one, each handed over with its node.
  void texts(Node &N, llvm::function_ref<void(Node &, std::string)> Each);

  void fail(const Node &N, const llvm::Twine &Why);
  void fail(const Node &N, llvm::Error Why) {
    fail(N, llvm::toString(std::move(Why)));
  }
  bool failed() const { return !Problem.empty(); }
  /// "PATH:LINE:COLUMN: error: ..."; success where nothing is wrong.
  llvm::Error takeError();

private:
  std::string Path;
  llvm::StringRef Text;
  llvm::SourceMgr Places;
  std::string Problem;
  bool Bounded;
  llvm::yaml::Stream Stream;

  bool checkBounds();
  static void noteProblem(const llvm::SMDiagnostic &D, void *Reader);
  void failAt(unsigned Line, unsigned Column, const llvm::Twine &Why);
};

/// The text of \p Known that is nearest to \p Name, as "; did you mean 'x'?";
/// where none is near, all of them: " (known: ...)".
std::string hintFor(llvm::StringRef Name,
                    llvm::ArrayRef<llvm::StringRef> Known);

} // namespace clrewrite::config
