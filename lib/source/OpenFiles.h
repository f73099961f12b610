// Whether this process may open files.
//
// LLVM's assembler opens what `.incbin` and `.include` of a kernel's assembly
// name, and it is asked in several places: to generate code, to write bitcode,
// to link. So children that compile open no file at all (NoFiles), but for a
// header that Clang asks for and that it may read, and for ptxas (FilesAgain).
//
// The limit of open files is what does it (RLIMIT_NOFILE): it is there on each
// system, takes a microsecond, and can be taken back. It holds LLVM to what it
// was made for; a fault in LLVM that runs code of somebody else's is not held.
#pragma once

#include <sys/resource.h>

namespace clrewrite {

/// Limits how many files may be open while it lives.
class FileLimit {
protected:
  explicit FileLimit(rlim_t Most);
  ~FileLimit();
  FileLimit(const FileLimit &) = delete;
  FileLimit &operator=(const FileLimit &) = delete;
  /// How many may be open where no FileLimit lives.
  static rlim_t usual();

private:
  rlim_t Before;
};

/// While it lives, no file, pipe or socket is opened; what is open stays. Under
/// AddressSanitizer, whose reports open files, it does nothing.
struct NoFiles : private FileLimit {
  NoFiles() : FileLimit(0) {}
};

/// While it lives, files are opened as before the first NoFiles.
struct FilesAgain : private FileLimit {
  FilesAgain() : FileLimit(usual()) {}
};

} // namespace clrewrite
