// The memory of a kernel that is executed to be counted.
//
// A kernel is code of somebody else's, so no address of it is one of this
// process's: addresses are numbers that name a buffer and a byte of it, every
// access is looked up, and one that leaves its buffer is refused. Pages come
// into being when they are touched, so that buffers of many megabytes cost
// what is read of them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clrewrite::measure {

/// A hash of \p V: the finaliser of splitmix64 (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014).
uint64_t scattered(uint64_t V);

class DeviceMemory {
public:
  /// What a buffer holds at first: integers from 0 to 100, floating-point
  /// numbers from -1 to 1, or zeros where ElementBytes is 0.
  struct Contents {
    unsigned ElementBytes = 0;
    bool Floating = false;
  };

  /// Adds a buffer and returns the address of its first byte, a multiple of
  /// 4096. What is not \p Counted moves no bytes of the kernel's: its arguments
  /// and what the launch says of itself.
  uint64_t add(uint64_t Bytes, Contents Filled, bool Counted);

  /// False where not all bytes from \p At on are one buffer's, or where more
  /// memory would be needed than MostBytes.
  bool read(uint64_t At, llvm::MutableArrayRef<uint8_t> Into);
  bool write(uint64_t At, llvm::ArrayRef<uint8_t> From);
  /// More memory was needed than MostBytes.
  bool isFull() const { return Full; }

  /// The number of the buffer that \p At would be of.
  static uint64_t bufferOf(uint64_t At) { return At >> OffsetBits; }
  bool isCounted(uint64_t At) const {
    uint64_t Number = bufferOf(At);
    return Number - 1 < Buffers.size() && Buffers[Number - 1].Counted;
  }

  /// Bits of an address that count bytes in a buffer.
  static constexpr unsigned OffsetBits = 40;
  static constexpr uint64_t MostBytes = uint64_t(64) << 20;

private:
  // Waves that walk along columns touch some bytes of each row.
  static constexpr unsigned PageBits = 9;
  static constexpr size_t PageBytes = size_t(1) << PageBits;
  using Page = std::array<uint8_t, PageBytes>;

  struct Buffer {
    uint64_t Bytes;
    Contents Filled;
    bool Counted;
  };
  std::vector<Buffer> Buffers; ///< the first has the number 1
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> Pages;
  uint64_t LastNumber = ~uint64_t(0);
  Page *Last = nullptr;
  bool Full = false;

  Page *page(uint64_t At);
  void fill(Page &P, uint64_t First, const Buffer &B, uint64_t Number) const;
  template <typename Move> bool move(uint64_t At, size_t Bytes, Move Each);
};

} // namespace clrewrite::measure
