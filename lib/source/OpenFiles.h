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

/// While it lives, no file, pipe or socket is opened; what is open stays. Under
/// AddressSanitizer, whose reports open files, it does nothing.
class NoFiles {
public:
  NoFiles();
  ~NoFiles();
  NoFiles(const NoFiles &) = delete;
  NoFiles &operator=(const NoFiles &) = delete;

private:
  rlim_t Before;
};

/// While it lives, files are opened as before the first NoFiles.
class FilesAgain {
public:
  FilesAgain();
  ~FilesAgain();
  FilesAgain(const FilesAgain &) = delete;
  FilesAgain &operator=(const FilesAgain &) = delete;

private:
  rlim_t Before;
};

} // namespace clrewrite
