// What texts say of macros that they do not define as they are parsed: macros
// that `#ifdef` and its like switch on, and those whose names are put together
// by `##`.
//
// Example: of `#ifdef USE_HALF / #define REAL half / #elif defined(USE_FLOAT) /
// #define REAL float / #endif` the name REAL is learnt to need USE_HALF, or
// USE_FLOAT. Of `#define READ(t) read_image##t` and `READ(KIND)`, where nobody
// defines KIND, the unknown name read_imageKIND is learnt to end with KIND.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// Macros that have a text define names which it otherwise lacks.
struct Switch {
  /// As behind -D: "USE_HALF", or "KIND=2" where the text asks for a value.
  std::vector<std::string> Macros;
  std::vector<std::string> Names; ///< which it defines then, in order
};

class Switches {
public:
  /// Adds what \p Text says, a file or a header, whatever its #if leave out.
  void read(llvm::StringRef Text);

  /// The switches that give some of \p Names, those first that give most; none
  /// where no condition is understood that keeps one of them away. Conditions
  /// are understood that ask whether macros are defined, or compare one with a
  /// number, joined by && alone or by || alone. Macros that compilers define
  /// are none.
  std::vector<Switch> giving(llvm::ArrayRef<std::string> Names) const;

  /// The macro of which, and of something else, the unknown \p Name was put
  /// together; empty for none. No text uses Name itself without defining it.
  std::string partOf(llvm::StringRef Name) const;

  /// Macros for want of which a text ends with #error, `#ifndef X`, and for
  /// each the first number that a directive compares it with, else 16.
  std::vector<std::pair<std::string, std::string>> demanded() const;

  /// Some text has \p Name behind another name, as declarations do.
  bool declares(llvm::StringRef Name) const { return Declared.contains(Name); }

private:
  using Needs = std::vector<std::string>;
  /// By macro: what each of its definitions needs to be reached. A definition
  /// whose conditions are not understood is none.
  std::map<std::string, std::vector<Needs>> Ways;
  llvm::StringSet<> Defined;  ///< by a #define that no macro must switch on
  llvm::StringSet<> Used;     ///< names outside #define NAME
  llvm::StringSet<> Declared; ///< behind another name

  std::vector<std::string> Demanded;
  std::map<std::string, std::string> Compared; ///< with which number

  /// Notes a directive by its words; \p Needed is what its conditions need, and
  /// the innermost of them holds where one of \p Absent lacks.
  void note(llvm::ArrayRef<std::string> Directive, std::optional<Needs> Needed,
            llvm::ArrayRef<std::string> Absent);

  /// \p N, with what the text itself defines replaced by what that needs.
  Needs rooted(const Needs &N) const;
};

} // namespace clrewrite::frontend
