// Reading files that anybody may have put there.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace clrewrite {

constexpr uint64_t MostFileBytes = uint64_t(64) << 20;

/// A file descriptor, closed at the end.
class FileHandle {
public:
  explicit FileHandle(int FD = -1) : FD(FD) {}
  FileHandle(FileHandle &&O) : FD(O.release()) {}
  FileHandle &operator=(FileHandle &&O);
  ~FileHandle();
  int get() const { return FD; }
  explicit operator bool() const { return FD >= 0; }
  int release();

private:
  int FD;
};

/// The bytes of a regular file of at most \p Most bytes; none for a device, a
/// pipe, a folder, a larger file, or what can't be read. Never waits.
std::optional<std::string> readRegular(const std::string &Path,
                                       uint64_t Most = MostFileBytes);

/// The same of \p Name in the folder \p Folder, which is no link; \p Info is
/// what fstat says of what was read.
std::optional<std::string> readRegularAt(int Folder, const std::string &Name,
                                         uint64_t Most,
                                         struct stat *Info = nullptr);

} // namespace clrewrite
