// What compiles for targets, in processes of its own: back ends of this program
// (BackendProcesses.h), or a program that has another LLVM (OtherLlvm.h).
#pragma once

#include "measure/Meter.h"

namespace clrewrite::measure {

/// What a process answered.
template <typename T> struct Answer {
  /// Its Problem says why there is none.
  T Value;
  /// Another run would get the same: the process did not crash, and was not
  /// ended for its time or its memory, which depend on what else is running.
  bool Lasting = true;
};

class Compilers {
public:
  virtual ~Compilers() = default;

  /// The files that results for \p On depend on: libraries, assemblers, the
  /// program itself where it is another one.
  virtual std::vector<std::string> files(const Target &On) const = 0;

  /// May begin with what measure() is asked next, \p AtOnce at a time, while
  /// others are asked.
  virtual void begin(llvm::ArrayRef<MeasureRequest>, unsigned /*AtOnce*/) {}
  /// The figures of each of \p Requests, in order, several at once.
  virtual std::vector<Answer<Measurement>>
  measure(llvm::ArrayRef<MeasureRequest> Requests) = 0;
  /// Says so where the back end does not see live registers.
  virtual Answer<PressureReport> pressure(const MeasureRequest &Request) = 0;
  /// Says so where the back end counts nothing.
  virtual Answer<WorkReport> work(const MeasureRequest &Request) = 0;
};

} // namespace clrewrite::measure
