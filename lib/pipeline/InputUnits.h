// From the paths of a command line to what is rewritten: files, folders, and
// programs that a host puts together of several texts.
#pragma once

#include "pipeline/Unit.h"

namespace clrewrite::pipeline {

/// The text that the path "-" stands for, as that of a file called Name.
struct StdinText {
  std::string Name, Text;
};

/// What a file's name says that it holds.
enum class FileSort {
  Other,
  OpenCL,
  Header, ///< of OpenCL C, as .clh: a program, or a part of others
  Host,   ///< C or C++; its headers may be OpenCL C's
};
FileSort sortOf(llvm::StringRef Path);
/// A program in C or C++, not a header, which may be OpenCL C's.
bool isHostProgram(llvm::StringRef Path);

/// All files below \p Folder, but for hidden ones and those in hidden folders.
/// Links are not followed.
std::vector<std::string> filesBelow(llvm::StringRef Folder);

/// The units of \p Paths, each with one plain build:
///
/// - an OpenCL C file, whole, or the raw string literals with kernels in it;
/// - a header with kernels in it;
/// - the raw string literals with kernels of a C or C++ file; those side by
/// side
///   are one program;
/// - all of these below a folder, hidden files and folders left out, and what
///   git ignores where the folder is part of a repository, unless it takes
///   longer than \p GitSeconds to say so.
///
/// Files of which \p Excluded is true are left out. A path that can't be read
/// gives a unit, whose run says why. \p Notes gets what is not looked into:
/// kernels in ordinary string literals and macros, with their lines; headers
/// without a kernel; files that are named and excluded; folders without any
/// such file. Fails where there are only such folders.
llvm::Expected<std::vector<Unit>>
inputUnits(llvm::ArrayRef<std::string> Paths, std::vector<std::string> &Notes,
           const std::optional<StdinText> &Stdin = std::nullopt,
           const std::function<bool(const std::string &)> &Excluded = {},
           unsigned GitSeconds = 60);

/// The files \p Paths as one program, in that order, with one plain build that
/// looks up headers beside each of them. A file that is one or more raw string
/// literals, for C++ to include, counts as what they hold. Fails for what is no
/// file of OpenCL C, or can't be read.
llvm::Expected<std::vector<Unit>>
programUnits(llvm::ArrayRef<std::string> Paths);

} // namespace clrewrite::pipeline
