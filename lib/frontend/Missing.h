// What a source that does not parse lacks: mostly macros that its host program
// defines. It is read out of what Clang says.
#pragma once

#include "frontend/Switches.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace clrewrite::frontend {

struct Diagnosis;

/// A name that is not declared.
struct MissingName {
  std::string Name;
  /// A definition with which the source may parse, by how the name is used and
  /// what it says: "float4" for a type FLOAT4, "16" for a number. Empty where
  /// nothing is likely: for most of what is called, and types of a vendor.
  std::string Guess;
  /// It is used where a number may stand. It may also be a variable whose
  /// declaration failed for want of a type.
  bool IsNumber = false;
};
llvm::json::Value toJSON(const MissingName &N);
bool fromJSON(const llvm::json::Value &V, MissingName &N, llvm::json::Path P);

llvm::json::Value toJSON(const Switch &S);
bool fromJSON(const llvm::json::Value &V, Switch &S, llvm::json::Path P);

/// What a source lacks: in order of appearance, once each.
struct Missing {
  /// First those that #error asks for, then types.
  std::vector<MissingName> Names;
  std::vector<std::string> Headers;
  /// What `#if` leaves out of the source or of a header, and what it asks for.
  /// These names are not among Names.
  std::vector<Switch> Switches;
  /// A type of cl_khr_fp16, which the target lacks; empty for none.
  std::string HalfVector = {};
  bool none() const {
    return Names.empty() && Headers.empty() && Switches.empty();
  }
  std::vector<std::string> names() const;
};

/// \p Type is named like a vector with a number of lanes that OpenCL C does not
/// have, such as float32; some vendors' compilers know such types.
bool isLongVector(llvm::StringRef Type);

/// What is not declared in \p D; where some of it is in upper case, as macros
/// are by custom, the names that are not are left out, unless they are called
/// or are types: they are mostly variables whose declarations failed.
Missing missingIn(const Diagnosis &D);

/// The line that suggests \p Options for \p Names: "not defined here, perhaps
/// by the host program: BLOCK, T; ... -- -D BLOCK=16 -D T=float; ..."; empty
/// where there are no names.
std::string suggestion(llvm::ArrayRef<std::string> Names,
                       llvm::ArrayRef<std::string> Options);

} // namespace clrewrite::frontend
