// The layer's state: one a process, made by clInitLayer and never destroyed,
// because drivers call back until the very end.
//
// No lock of ours is held while a driver is called: a driver may hold its own
// locks while it calls the program back, and the program may call us from
// there.
#pragma once

#include "Folder.h"
#include "Handles.h"
#include "Objects.h"
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace clrewrite::layer {

/// The driver's functions, or those of the layer below, or of the plan above
/// them; null where there is none.
extern cl_icd_dispatch Next;

/// Numbers things that are the same by a key.
class Numbering {
public:
  /// The number of \p Key. A new one is announced by \p Tell, under the lock,
  /// so that nobody refers to it in the log before it stands there; it must not
  /// call a driver.
  uint64_t of(const std::string &Key,
              const std::function<void(uint64_t)> &Tell) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto [It, New] = Numbers.insert({Key, Numbers.size() + 1});
    if (New)
      Tell(It->second);
    return It->second;
  }

private:
  std::mutex Lock;
  std::unordered_map<std::string, uint64_t> Numbers;
};

struct Layer {
  /// Null where the program's sources are only swapped.
  std::unique_ptr<Folder> Out;
  /// The folder of sources to swap in; empty for none.
  std::string SwapFolder;

  HandleTable<Device> Devices;
  HandleTable<Program> Programs;
  HandleTable<Kernel> Kernels;
  HandleTable<Queue> Queues;
  HandleTable<Memory> Memories;
  HandleTable<Sampler> Samplers;
  SvmTable Svm;

  Numbering ProgramIds, BuildIds, MemoryShapes;
  std::atomic<uint64_t> NextDevice{1}, NextKernel{1}, NextLaunch{1},
      NextMemory{1};
  std::mutex KernelLock;
  std::map<std::string, std::shared_ptr<KernelRecord>> KernelRecords;
  /// Events that only the program can complete, and hasn't.
  std::atomic<int> OpenUserEvents{0};
};

/// The state; null in a child of fork, which does not capture: it shares its
/// parent's files, and OpenCL itself seldom survives a fork.
Layer *state();

/// The layer's device, recorded when it is first met.
std::shared_ptr<Device> deviceOf(cl_device_id Handle);
/// The queue, also one that was made by a function that the layer does not see.
std::shared_ptr<Queue> queueOf(cl_command_queue Handle);
/// The memory object; \p Adopt is whether to ask the driver about one that is
/// not known, which must then be one.
std::shared_ptr<Memory> memoryOf(cl_mem Handle, bool Adopt);

/// The program; one that was made by a function that the layer does not see
/// counts as a binary.
std::shared_ptr<Program> programOf(cl_program Handle);
/// Enters a program that clLinkProgram made; \p What identifies it.
std::shared_ptr<Program> enterLinked(cl_program Handle,
                                     const std::string &What);

/// What \p Get, a query of the driver's, says of \p Of as a text or a list of
/// bytes.
template <class F, class... Args> std::string queryBytes(F Get, Args... Of) {
  size_t Size = 0;
  if (Get(Of..., 0, nullptr, &Size) != CL_SUCCESS || Size == 0)
    return "";
  std::string Bytes(Size, '\0');
  if (Get(Of..., Size, Bytes.data(), nullptr) != CL_SUCCESS)
    return "";
  return Bytes;
}

/// The same for a text, which ends before its zero.
template <class F, class... Args> std::string queryText(F Get, Args... Of) {
  std::string Text = queryBytes(Get, Of...);
  return Text.substr(0, Text.find('\0'));
}

/// The same in one value.
template <class T, class F, class... Args>
std::optional<T> numberOf(F Get, Args... Of) {
  T Value{};
  if (Get(Of..., sizeof Value, &Value, nullptr) != CL_SUCCESS)
    return std::nullopt;
  return Value;
}

/// The same; 0 where it says nothing.
template <class T, class F, class... Args> T infoOf(F Get, Args... Of) {
  return numberOf<T>(Get, Of...).value_or(T{});
}

/// Answers an info query of the program with \p Bytes instead of the driver.
cl_int answer(const void *Bytes, size_t Size, size_t ValueSize, void *Value,
              size_t *SizeRet);

/// Reads the file, or its beginning where it has more than \p Most bytes; false
/// where there is none.
bool readFile(const std::string &Path, std::string &Text,
              size_t Most = SIZE_MAX);

// Each puts its functions into the table where the driver has them.
void wrapPrograms(cl_icd_dispatch &Table);
void wrapBuilds(cl_icd_dispatch &Table);
void wrapKernels(cl_icd_dispatch &Table);
void wrapMemory(cl_icd_dispatch &Table);
void wrapSamplers(cl_icd_dispatch &Table);
void wrapSvm(cl_icd_dispatch &Table);
void wrapQueues(cl_icd_dispatch &Table);
void wrapWaits(cl_icd_dispatch &Table);
void wrapLaunches(cl_icd_dispatch &Table);

/// Replaces a function of the table that the driver has.
template <class F> void wrap(F &Slot, F Ours) {
  if (Slot)
    Slot = Ours;
}

/// The same by one that gives what \p Behind makes of the driver's result.
template <auto Slot, auto Behind> void wrapBehind(cl_icd_dispatch &All) {
  if (All.*Slot)
    All.*Slot = [](auto... A) { return Behind((Next.*Slot)(A...)); };
}

/// Replaces two functions that count who uses a handle: \p Table of what
/// \p State gives counts, too.
template <auto &Below, auto State, auto Table, auto Retain, auto Release>
void wrapCounting(cl_icd_dispatch &All) {
  if (All.*Retain)
    All.*Retain = [](auto Handle) {
      cl_int Code = (Below.*Retain)(Handle);
      if (auto *S = State(); S && Code == CL_SUCCESS)
        (S->*Table).retain(Handle);
      return Code;
    };
  if (All.*Release)
    All.*Release = [](auto Handle) {
      if (auto *S = State())
        (S->*Table).release(Handle);
      return (Below.*Release)(Handle);
    };
}

} // namespace clrewrite::layer
