// The machine code of functions in an object file.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>
#include <vector>

namespace clrewrite::measure {

struct FunctionCode {
  std::string Name;
  uint64_t Offset; ///< in its section
  uint64_t Bytes;
  std::string Hash; ///< of the bytes
};

/// The functions that \p Object (ELF) defines, by their offset; none where it
/// is not an object file.
std::vector<FunctionCode> functionCode(llvm::ArrayRef<char> Object);

/// A hash of each function's bytes, by its name.
std::map<std::string, std::string> codeHashes(llvm::ArrayRef<char> Object);

/// The contents of the section \p Name; empty where there is none.
llvm::StringRef sectionOf(llvm::ArrayRef<char> Object, llvm::StringRef Name);

} // namespace clrewrite::measure
