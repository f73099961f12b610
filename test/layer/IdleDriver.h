// A driver of OpenCL that does nothing, for tests of the layer above it: what
// it hands out is known beforehand, and all time is the layer's.
#pragma once

#include <CL/cl_icd.h>
#include <optional>

const cl_icd_dispatch *idleDriver();
/// The layer's functions above it; null, with a message, where that fails.
const cl_icd_dispatch *layerAboveIdle(const char *LayerPath);

/// What a program has of one table's functions.
struct Client {
  const cl_icd_dispatch *Call;
  cl_command_queue Queue;
  cl_kernel Kernel;  // of four arguments
  cl_mem Buffers[2]; // of 64 bytes each

  /// Gives the kernel the first and the second, or \p Swapped.
  void setBuffers(bool Swapped = false) const;
  template <class T> void set(cl_uint Index, T Value) const {
    Call->clSetKernelArg(Kernel, Index, sizeof Value, &Value);
  }
};

/// The kernel is one of \p Source, and has shapes of its own.
Client newClient(const cl_icd_dispatch *Call, const char *Source);
/// The same under the layer, with its buffers set; none where the layer fails.
std::optional<Client> newLayeredClient(const char *LayerPath,
                                       const char *Source);
