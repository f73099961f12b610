// The built-in functions of the AMD targets, as bitcode.
//
// AMD's own device libraries (opencl, ocml, ockl) give the code that AMD's
// driver gives, and have images and sub-groups; libclc stands in where they
// are not installed. Each is opened once; what kernels call is linked from a
// subset of it (LibrarySubset.h).
#pragma once

#include "measure/llvm/LibrarySubset.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace clrewrite::measure {

class DeviceLibs {
public:
  /// Looks in \p Directory where it is not empty, else in
  /// $CLREWRITE_DEVICE_LIBS, beside the program, in ROCm's and the
  /// distribution's places, and for libclc last. Fails where none is found,
  /// naming the package to install.
  static llvm::Expected<std::unique_ptr<DeviceLibs>>
  open(const std::string &Directory);
  ~DeviceLibs();

  /// Reads them, the first time. To be called before link(), in the process
  /// whose children compile.
  llvm::Error load();
  std::vector<std::string> paths() const;

  /// Links what \p Module needs for processor \p Cpu under the build options
  /// \p Options.
  llvm::Error link(llvm::Module &Module, llvm::StringRef Cpu,
                   llvm::ArrayRef<std::string> Options);

private:
  DeviceLibs();
  LibrarySubsets Read;
  /// The library's name of a function on generic pointers, by today's: older
  /// Clangs spelled out address space 0 in it.
  llvm::StringMap<std::string> GenericNames;
  std::string Directory;
  std::vector<std::string> Names;
  bool Amd = false;
};

} // namespace clrewrite::measure
