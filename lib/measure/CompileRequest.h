// What a process that compiles is asked, and what it answers, as JSON.
//
// All requests have this one form, whatever is wanted to be known of a source;
// the answer is the JSON of the value that is named with each sort.
#pragma once

#include "measure/Meter.h"
#include "measure/Work.h"
#include "source/BoundedJson.h"

namespace clrewrite::measure {

class Backend;

struct CompileRequest {
  enum Sort {
    Figures,  ///< a Measurement
    Pressure, ///< a PressureReport
    Work,     ///< a WorkReport
  };

  MeasureRequest What;
  Sort Wanted = Figures;
};

llvm::json::Array toJSON(const launch::FactsByKernel &Launches);

llvm::json::Value toJSON(const CompileRequest &R);
/// All but On.Family, which the reader knows.
bool fromJSON(const llvm::json::Value &V, CompileRequest &R,
              llvm::json::Path P);

/// The request in the form that answer() reads.
std::string packed(const CompileRequest &R);

/// The answer of \p With to what packed() gave; empty where \p Request is
/// something else. It compiles, so it runs in a child process.
std::string answer(const Backend &With, llvm::StringRef Request);

/// A text to compile may be as large as a file that is read.
inline constexpr JsonLimits LargeJson{64, size_t(1) << 30, size_t(16) << 20};

/// The value that \p Text, an answer, holds; nullopt where it holds none.
template <typename T>
std::optional<T> valueOf(llvm::StringRef Text, const JsonLimits &Limits = {}) {
  llvm::Expected<llvm::json::Value> V = parseJson(Text, Limits);
  if (!V) {
    llvm::consumeError(V.takeError());
    return std::nullopt;
  }
  T Value;
  llvm::json::Path::Root Root;
  return fromJSON(*V, Value, Root) ? std::optional(std::move(Value))
                                   : std::nullopt;
}

} // namespace clrewrite::measure
