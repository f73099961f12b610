// Compiling with another LLVM than this program's.
//
// Two versions of LLVM can't be in one process. So the back ends are also a
// program of their own, clrewrite-compile-NN, which is the same source built
// with LLVM NN. It answers the requests that back ends are asked, several at a
// time; parent and program are of one source, and the requests have no version.
//
// One question is a JSON object, so is its answer:
//   {"device_libs", "seconds", "parallel", "memory", "targets": [NAME...]}
//     -> {"llvm": "19.1.7", "targets": [{"problem", "files": [PATH...]}...]}
//   {the same four members, "requests": [CompileRequest...]}
//     -> {"answers": [{"lasting", "value"}...]}
#pragma once

#include "measure/Compilers.h"
#include "measure/TargetFamily.h"
#include "process/Workers.h"
#include <map>

namespace clrewrite::measure {

/// Where clrewrite-compile-\p Major is: beside this program, where packages
/// install it, or on PATH. Empty where it is not.
std::string programWithLlvm(unsigned Major);

/// What \p Name names: the target (parseTarget), or for "gfx906@all" that GPU
/// with each LLVM that is here.
llvm::Expected<std::vector<Target>> parseTargets(llvm::StringRef Name);

class OtherLlvm : public Compilers {
public:
  /// Starts \p Program (programWithLlvm) for \p Targets, all of which LLVM
  /// \p Major compiles for. Fails where there is none, where it does not know a
  /// target, or has no libraries for one.
  static llvm::Expected<std::unique_ptr<OtherLlvm>>
  open(unsigned Major, llvm::ArrayRef<Target> Targets,
       const BackendSettings &Settings, std::string Program);

  std::vector<std::string> files(const Target &On) const override;
  std::vector<Answer<Measurement>>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  Answer<PressureReport> pressure(const MeasureRequest &Request) override;
  Answer<WorkReport> work(const MeasureRequest &Request) override;

  /// Its LLVM, such as "19.1.7".
  const std::string &version() const { return Version; }

private:
  OtherLlvm(std::string Program, const BackendSettings &Settings);

  std::string Program, Version;
  BackendSettings Settings;
  process::Workers Process;
  std::map<std::string, std::vector<std::string>> Files; ///< by target's name

  llvm::Expected<llvm::json::Value> ask(llvm::StringRef What,
                                        llvm::json::Array List);
  llvm::Error greet(llvm::ArrayRef<Target> Targets);
  template <typename T>
  std::vector<Answer<T>> answers(llvm::ArrayRef<MeasureRequest> Requests,
                                 int Wanted);
};

} // namespace clrewrite::measure
