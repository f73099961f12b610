// Families of targets: GPUs for which one back end compiles.
//
// All that differs from family to family is asked of one of these, so that
// nobody else tells AMD's GPUs from NVIDIA's: what its processors are called,
// how Clang is set up for them, what their users call registers and waves, and
// how many waves run at once. A family has no state; a Target points to its
// own.
#pragma once

#include "frontend/Invocation.h"
#include "measure/Target.h"
#include "measure/occupancy/OccupancyNeeds.h"
#include "process/Child.h"
#include <memory>

namespace clrewrite::measure {

class Backend;

/// What a back end needs to know when it is opened.
struct BackendSettings {
  /// Where the libraries of built-in functions are (--device-libs); empty for
  /// the places that each family knows.
  std::string LibraryDir;
  /// For one compilation.
  process::ChildLimits Limits = {};
};

class TargetFamily {
public:
  virtual ~TargetFamily() = default;

  /// The target that \p Name names, in lower or upper case; nullopt where it
  /// is none of this family. Fails where it is one that can't be compiled for,
  /// with the reason.
  virtual llvm::Expected<std::optional<Target>>
  parse(llvm::StringRef Name) const = 0;
  /// The names that a list of known targets has.
  virtual std::vector<llvm::StringRef> names() const = 0;

  /// The targets are OpenCL devices: a driver compiles for them, kernels run
  /// there, and nothing is known of them without asking the device program.
  /// Such a family has no back end.
  virtual bool isDevice() const { return false; }

  /// How Clang is set up for \p Cpu.
  virtual frontend::Arch arch(llvm::StringRef Cpu) const = 0;

  /// Finds the libraries. Fails where there are none, naming the package to
  /// install.
  virtual llvm::Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &Settings) const = 0;
  /// The processors that stand for this family's GPUs where no target does, one
  /// for each size of wave that they run by default.
  virtual std::vector<llvm::StringRef> representatives() const { return {}; }
  /// Many edits were timed on a GPU of this family, so that it is known which
  /// rewrites are often slower there (select/Record.h).
  virtual bool wasTimed() const { return false; }

  /// A macro that compilers define for this family's GPUs and for no others;
  /// empty where none is known.
  virtual llvm::StringRef macro() const { return ""; }

  /// The compiler obeys the attribute amdgpu_num_vgpr.
  virtual bool takesRegisterLimit() const { return false; }
  /// How many vector registers a lane of \p Cpu may have where that attribute
  /// says \p Limit.
  virtual unsigned registersUnder(llvm::StringRef, unsigned Limit) const {
    return Limit;
  }

  virtual OccupancyTerms terms() const { return {}; }
  /// The waves of each of \p Each on \p Cpu, in order; empty where they can't
  /// be found out. May compile, in child processes under \p Limits.
  virtual std::vector<unsigned> waves(llvm::StringRef Cpu,
                                      llvm::ArrayRef<OccupancyNeeds> Each,
                                      process::ChildLimits Limits) const = 0;
  /// The LDS that a work-group can have on \p Cpu, in bytes.
  virtual unsigned mostLds(llvm::StringRef Cpu) const = 0;
  /// The lanes of the waves that \p Cpu runs unless asked otherwise.
  virtual unsigned lanes(llvm::StringRef Cpu) const = 0;
};

/// All of them. This list is the only place that names each.
llvm::ArrayRef<const TargetFamily *> targetFamilies();

/// The representatives of the families and sizes of waves that none of \p Named
/// is of; a device is of that which its processor is of.
std::vector<Target> bystandersOf(llvm::ArrayRef<Target> Named);

/// Many edits were timed on GPUs of the family of \p T, or of the processor
/// that it is as a device (TargetFamily::wasTimed).
bool wasTimed(const Target &T);

/// The macro of the compilers for \p T, or for the processor that it is as a
/// device (TargetFamily::macro).
llvm::StringRef macroOf(const Target &T);

/// The macro by which edits can be kept from \p Spared: compilers define it for
/// all of \p Targets that are not themselves spared, and for none of \p Spared.
/// Empty where nothing is spared, or there is no such macro.
llvm::StringRef shelterFrom(llvm::ArrayRef<Target> Spared,
                            llvm::ArrayRef<Target> Targets);

/// How Clang is set up to look for sites: for the first of \p Targets that is
/// no device (a device's compiler is not ours), else for a common GPU.
frontend::Arch archOf(llvm::ArrayRef<Target> Targets);

/// The same for a text that is meant for the driver of a device: for the
/// processor of the first device of which that is known. None where none is, or
/// a target is no device.
std::optional<frontend::Arch> deviceArchOf(llvm::ArrayRef<Target> Targets);

} // namespace clrewrite::measure
