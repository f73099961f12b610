// A device that does what a test says, and answers in its words.
#pragma once

#include "verify/Verify.h"

namespace clrewrite::verify {

inline constexpr llvm::StringRef Old = "old", New = "new";

/// A channel whose launches are answered by OnRun.
class FakeDevice : public opencl::DeviceChannel {
public:
  using Handler =
      std::function<opencl::DeviceAnswer(const llvm::json::Object &)>;
  Handler OnRun;
  /// Arguments of the one kernel, k.
  llvm::json::Array Args{llvm::json::Object{{"name", "p"},
                                            {"type", "int*"},
                                            {"address", "global"},
                                            {"access", nullptr}}};
  uint64_t PartAlign = 0;
  unsigned Runs = 0;
  std::string LastArgs;

  opencl::DeviceAnswer call(llvm::json::Object Job) override {
    opencl::DeviceAnswer A;
    if (Job.getString("job") == "build") {
      A.Body["kernels"] = llvm::json::Array{
          llvm::json::Object{{"name", "k"}, {"args", llvm::json::Array(Args)}}};
      return A;
    }
    ++Runs;
    llvm::raw_string_ostream(LastArgs = "")
        << llvm::json::Value(llvm::json::Array(*Job.getArray("args")));
    return OnRun(Job);
  }
};

/// A device with a kernel k(global int *p, int n).
inline FakeDevice withNumber() {
  FakeDevice D;
  D.Args.push_back(llvm::json::Object{{"name", "n"},
                                      {"type", "int"},
                                      {"address", "private"},
                                      {"access", nullptr}});
  return D;
}

inline opencl::DeviceAnswer problem(opencl::DeviceAnswer::Kind Status,
                                    const char *Text) {
  opencl::DeviceAnswer A;
  A.Status = Status;
  A.Problem = Text;
  return A;
}

/// The versions of \p Job whose text contains \p Text.
inline std::vector<int64_t> versions(const llvm::json::Object &Job,
                                     llvm::StringRef Text) {
  std::vector<int64_t> Out;
  int64_t I = 0;
  for (const llvm::json::Value &V : *Job.getArray("versions")) {
    if (V.getAsObject()->getString("source")->contains(Text))
      Out.push_back(I);
    ++I;
  }
  return Out;
}

/// An answer in which \p Differing leave other results.
inline opencl::DeviceAnswer answer(llvm::ArrayRef<int64_t> Differing = {}) {
  opencl::DeviceAnswer A;
  A.Body["buffers"] =
      llvm::json::Array{llvm::json::Object{{"arg", 0}, {"changed", true}}};
  llvm::json::Array List;
  for (int64_t V : Differing)
    List.push_back(llvm::json::Object{{"version", V},
                                      {"arg", 0},
                                      {"element", 5},
                                      {"expected", "0a"},
                                      {"actual", "0b"}});
  A.Body["differences"] = std::move(List);
  return A;
}

inline opencl::DeviceAnswer outside(int64_t Version, int64_t Offset) {
  opencl::DeviceAnswer A = answer();
  A.Body["out_of_bounds"] =
      llvm::json::Array{llvm::json::Object{{"version", Version},
                                           {"arg", 0},
                                           {"offset", Offset},
                                           {"bytes", 256},
                                           {"kind", "write"}}};
  return A;
}

/// Verifies Old, with \p Comment behind it, against New.
inline Verification check(FakeDevice &Device, VerifyOptions Options = {},
                          llvm::StringRef Comment = "") {
  Source Before, After;
  Before.Text = (Old + Comment).str();
  After.Text = New.str();
  ChosenDevice D;
  D.Channel = &Device;
  D.Name = "fake";
  D.PartAlign = Device.PartAlign;
  return verify(Before, After, "k", nullptr, D, Options);
}

} // namespace clrewrite::verify
