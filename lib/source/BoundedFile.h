// Reading files of a folder that is open, by name.
#pragma once

#include "source/Beneath.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace clrewrite {

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

/// The bytes of the regular file \p Name in the folder \p Folder, of at most
/// \p Most bytes; none for a link, a device, a pipe, a folder, a larger file,
/// or what can't be read. Never waits. \p Info is what fstat says of what was
/// read.
std::optional<std::string> readRegularAt(int Folder, const std::string &Name,
                                         uint64_t Most,
                                         struct stat *Info = nullptr);

} // namespace clrewrite
