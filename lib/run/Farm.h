// The farm file: machines whose devices targets may name.
#pragma once

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clrewrite::run {

/// A machine with devices.
struct FarmHost {
  /// What stands before the slash in device:NAME/DEVICE.
  std::string Name;
  /// A shell command that starts clrewrite-device there.
  std::string Command;
};

/// Reads the regular file \p Path, a line for each machine: its name, blanks,
/// and the command. Empty lines count for nothing, nor do those that begin with
/// a #. Errors begin with the path and the line.
llvm::Expected<std::vector<FarmHost>> readFarm(const std::string &Path);

/// The machine that \p Selector means, what follows "device:" in a target; null
/// where it has no slash, for a device of this machine. Fails where \p Hosts
/// has none of that name.
llvm::Expected<const FarmHost *> hostOf(llvm::StringRef Selector,
                                        const std::vector<FarmHost> &Hosts);

} // namespace clrewrite::run
