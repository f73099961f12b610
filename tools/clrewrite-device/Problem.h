// What went wrong with a job, as its answer says it; and Result, a value or a
// Problem (this program has neither exceptions nor LLVM's Expected).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace clrewrite::device {

/// Objects keep the order in which their members were added.
using Json = nlohmann::ordered_json;

struct Problem {
  /// The OpenCL call that failed, or the part of the program: "request".
  std::string Where;
  /// The OpenCL error code; 0 where no OpenCL call failed.
  int Code = 0;
  /// The code's name, or this program's own: "BAD_REQUEST", "TOO_LARGE".
  std::string Name;
  std::string Message;
  /// The build log; empty where there is none.
  std::string Log;
  /// True where the process can not be trusted with more jobs, e.g. because
  /// an illegal access has killed the driver's context.
  bool Restart = false;
};

/// A job that this program refuses before it asks a driver.
inline Problem refused(const char *Name, std::string Message) {
  return {"request", 0, Name, std::move(Message), "", false};
}

inline Problem badRequest(std::string Message) {
  return refused("BAD_REQUEST", std::move(Message));
}

inline Problem tooLarge(std::string Message) {
  return refused("TOO_LARGE", std::move(Message));
}

/// Success is nullopt.
using Status = std::optional<Problem>;

template <typename T> class Result {
  std::variant<T, Problem> V;

public:
  Result(T Value) : V(std::in_place_index<0>, std::move(Value)) {}
  Result(Problem P) : V(std::in_place_index<1>, std::move(P)) {}
  explicit operator bool() const { return V.index() == 0; }
  T &operator*() { return *std::get_if<0>(&V); }
  T *operator->() { return std::get_if<0>(&V); }
  Problem &problem() { return *std::get_if<1>(&V); }
};

} // namespace clrewrite::device
