// Host memory in whole pages, with or without fences around it.
//
// A CPU device that uses the host's memory in place (CL_MEM_USE_HOST_PTR) can
// be held to every byte: the pages before and after the buffer may not be
// touched at all, and the bytes left in the buffer's own pages hold a pattern.
//
//   [ fence ][ slack | buffer | slack ][ fence ]       a fence is 16 MiB
//
// The buffer ends as close to the upper fence as its alignment allows, or
// starts at the lower one. An access to a fence raises SIGSEGV; the handler
// notes which buffer, where, and whether it was a write, opens that fence so
// that the launch can go on, and the job's answer reports it. Any other fault
// ends the process as usual. What this costs: address space only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace clrewrite::device {

/// Anonymous zeroed memory of its own; null where the system has none left.
class HostMemory {
  uint8_t *Start = nullptr;
  size_t Size = 0;

public:
  HostMemory() = default;
  explicit HostMemory(size_t Bytes);
  HostMemory(HostMemory &&O) noexcept;
  HostMemory &operator=(HostMemory &&O) noexcept;
  ~HostMemory();
  uint8_t *data() const { return Start; }
  size_t size() const { return Size; }
};

/// A byte of the pattern that guards the surroundings of buffers; \p Index
/// counts from anywhere.
uint8_t canaryByte(size_t Index);

/// Writes the pattern from byte \p First on over \p Size bytes.
void fillCanary(uint8_t *Data, size_t Size, size_t First = 0);

/// The first byte that isn't the pattern's.
std::optional<size_t> brokenCanary(const uint8_t *Data, size_t Size,
                                   size_t First = 0);

/// An access outside a buffer.
struct Trespass {
  /// From the buffer's first byte: negative before it, >= its size after it.
  int64_t Offset = 0;
  /// The farthest byte that may have been touched on that side, where more is
  /// known than Offset: the last one of its page, or of eight bytes.
  int64_t Reach = 0;
  /// "write", "read", or "access" where the machine doesn't say which.
  const char *Kind = "write";
};

/// Which end of the buffer lies at a fence.
enum class FenceSide { Start, End };

class FencedMemory {
  HostMemory All;
  size_t Bytes = 0, Usable = 0, DataAt = 0;
  int Slot = -1; // in the fault handler's table

  explicit FencedMemory(HostMemory &&Empty);

public:
  /// None where memory or slots (256) run out. \p Align is a power of two of
  /// at most a page.
  static std::optional<FencedMemory> create(size_t Bytes, size_t Align,
                                            FenceSide Side);
  FencedMemory(FencedMemory &&O) noexcept;
  FencedMemory &operator=(FencedMemory &&) = delete;
  ~FencedMemory();

  uint8_t *data() const { return All.data() + DataAt; }
  size_t size() const { return Bytes; }

  /// Closes the fences, forgets trespasses, and renews the pattern.
  void arm();
  /// What happened since arm(), at most one for each side of each kind. Offset
  /// is that of the first access.
  std::vector<Trespass> trespasses() const;
};

/// Takes over SIGSEGV. Call it before each launch, and after its kernel was
/// compiled: LLVM, which drivers for CPUs compile with, installs a handler of
/// its own that the kernel of the system removes at the first fault
/// (SA_RESETHAND), so that a second thread's fault at that moment would end the
/// process.
void installFaultHandler();

} // namespace clrewrite::device
