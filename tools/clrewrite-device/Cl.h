// OpenCL's objects as values that release themselves, and its errors.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include "Problem.h"
#include <CL/cl.h>
#include <vector>

namespace clrewrite::device {

/// Owns one reference of an OpenCL object.
template <typename T, cl_int(CL_API_CALL *Release)(T)> class Owned {
  T Object = nullptr;

public:
  Owned() = default;
  explicit Owned(T O) : Object(O) {}
  Owned(Owned &&O) noexcept : Object(std::exchange(O.Object, nullptr)) {}
  Owned &operator=(Owned &&O) noexcept {
    std::swap(Object, O.Object);
    return *this;
  }
  ~Owned() {
    if (Object)
      Release(Object);
  }
  T get() const { return Object; }
  explicit operator bool() const { return Object; }
};

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Memory = Owned<cl_mem, clReleaseMemObject>;
using Sampler = Owned<cl_sampler, clReleaseSampler>;
using Event = Owned<cl_event, clReleaseEvent>;

/// "CL_BUILD_PROGRAM_FAILURE" for -11; "unknown OpenCL error" for what no
/// header names.
const char *errorName(cl_int Code);

/// The failure of the call \p Where.
Problem clProblem(const char *Where, cl_int Code, std::string Message = "");

/// clGet*Info of a fixed-size value; none where the driver refuses.
template <typename T, typename F, typename... A>
std::optional<T> query(F Get, A... Arguments) {
  T Value{};
  size_t Size = 0;
  if (Get(Arguments..., sizeof Value, &Value, &Size) != CL_SUCCESS ||
      Size > sizeof Value || Size == 0)
    return std::nullopt;
  return Value;
}

/// clGet*Info of a string, without its final NUL; none where refused.
template <typename F, typename... A>
std::optional<std::string> queryText(F Get, A... Arguments) {
  size_t Size = 0;
  if (Get(Arguments..., size_t(0), nullptr, &Size) != CL_SUCCESS)
    return std::nullopt;
  std::string Text(Size, '\0');
  if (Size && Get(Arguments..., Size, Text.data(), nullptr) != CL_SUCCESS)
    return std::nullopt;
  return Text.substr(0, Text.find('\0'));
}

} // namespace clrewrite::device
