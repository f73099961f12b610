// A compiler that kernels are measured with, as an interface.
//
// A family of targets (TargetFamily.h) says which processors there are; a back
// end is what compiles for them, with the libraries of built-in functions that
// it has found. Each has a folder of its own beside this file. To add one takes
// a folder with a TargetFamily and a Backend, and a line in Families.cpp.
#pragma once

#include "measure/Meter.h"
#include "measure/TargetFamily.h"
#include "measure/Work.h"

namespace clrewrite::measure {

class Backend {
public:
  explicit Backend(const TargetFamily &Of) : Of(Of) {}
  virtual ~Backend() = default;

  const TargetFamily &family() const { return Of; }

  /// Reads the libraries that kernels for \p Cpu are linked with, the first
  /// time. To be called before the children are made that compile.
  virtual llvm::Error load(llvm::StringRef Cpu) = 0;
  /// The files that results for \p Cpu depend on: libraries, assemblers.
  virtual std::vector<std::string> files(llvm::StringRef Cpu) const = 0;

  // What follows may crash, hang or abort with LLVM: it is called in child
  // processes alone (BackendProcesses.h).

  /// Compiles and measures. Kernels come in any order.
  virtual Measurement compile(const MeasureRequest &Request) const = 0;

  /// pressure() is implemented.
  virtual bool seesLiveRegisters() const { return false; }
  /// Compiles and counts live registers. Line tables are made for it, which
  /// change no code.
  virtual PressureReport pressure(const MeasureRequest &) const { return {}; }

  /// work() is implemented.
  virtual bool countsWork() const { return false; }
  /// Optimises, and counts what a work-item does (counts/CountWork.h).
  virtual WorkReport work(const MeasureRequest &) const { return {}; }

  /// How many requests one child process may answer. It is 1 for a back end
  /// that links by moving its library into the program: the child's copy is
  /// used up then, and a copy made by fork costs less than one made by LLVM.
  virtual unsigned requestsOfAProcess() const { return 1; }

private:
  const TargetFamily &Of;
};

/// The oldest and the newest LLVM that the source compiles with (./dev).
inline constexpr unsigned OldestLlvm = 19, NewestLlvm = 22;

/// Back ends for those of \p Targets that are no devices, and that this
/// program's LLVM compiles for, each once. Fails
/// where one has no libraries, with what to install.
llvm::Expected<std::vector<std::unique_ptr<Backend>>>
openBackends(llvm::ArrayRef<Target> Targets, const BackendSettings &Settings);

} // namespace clrewrite::measure
