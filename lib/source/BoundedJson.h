// JSON that somebody else wrote: looked at before it is parsed; and our own, as
// text.
//
// LLVM's parser calls itself for each level, so that a text of nothing but
// brackets overflows the stack, and a value takes many times the memory of its
// text. Whatever comes from a file, an editor or another process is read
// through here.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace clrewrite {

struct JsonLimits {
  /// Of lists and objects in one another; our own documents have 15.
  size_t Depth = 64;
  size_t Bytes = size_t(64) << 20;
  /// Of all numbers, texts, lists and objects: in a report each takes 500 bytes
  /// of memory.
  size_t Values = size_t(4) << 20;

  /// For the reports of runs over many files, which the user has asked for:
  /// those of 9,000 kernels that were searched for one target fit (1,700 values
  /// a kernel), and would take 8 GiB, by what smaller ones take.
  static constexpr JsonLimits ofReports() {
    return {64, size_t(512) << 20, size_t(16) << 20};
  }
};

/// The value of \p Text. Fails, as json::parse does, with the place first
/// ("[LINE:COLUMN, byte=N]: why"), also where \p Text is beyond \p Limits.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text,
                                            const JsonLimits &Limits = {});

/// The value of \p Text, as another process of ours sent it or the cache kept
/// it; null where it is none, as of a process that has crashed.
llvm::json::Value jsonOrNull(llvm::StringRef Text,
                             const JsonLimits &Limits = {});

/// The report in the regular file \p Path. Errors begin with the path.
llvm::Expected<llvm::json::Value> readReport(llvm::StringRef Path);

/// \p V in one line.
std::string jsonText(const llvm::json::Value &V);

/// Bytes as a text for JSON, which must be UTF-8: what is UTF-8 stays as it
/// is, each other byte becomes a character of its own in a plane for private
/// use. For messages between our processes and for the cache; bytesOfText()
/// gives back the same bytes, whatever they were.
std::string textOfBytes(llvm::StringRef Bytes);
std::string bytesOfText(llvm::StringRef Text);

/// Maps a member that textOfBytes() wrote.
bool mapBytes(llvm::json::ObjectMapper &O, llvm::StringLiteral Name,
              std::string &Bytes);

/// Lists of such.
llvm::json::Array textsOfBytes(const std::vector<std::string> &List);
bool mapBytes(llvm::json::ObjectMapper &O, llvm::StringLiteral Name,
              std::vector<std::string> &List);

} // namespace clrewrite
