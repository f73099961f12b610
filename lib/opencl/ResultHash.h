// The hash by which the job `run` tells what a buffer held.
//
// clrewrite knows some results beforehand (those of kernels that it generates);
// with the same hash on both sides it can hold every byte of a buffer to them
// without having it sent. It sees every byte, and is not meant to stand against
// an adversary. clrewrite-device includes this too: the standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace clrewrite::opencl {

/// 64 bits in hex, of \p Size bytes: words of eight bytes as a little-endian
/// machine reads them, the last one filled up with zeros.
inline std::string hashBytes(const uint8_t *Data, size_t Size) {
  uint64_t Hash = Size;
  auto add = [&](size_t At, size_t Bytes) {
    uint64_t Word = 0;
    std::memcpy(&Word, Data + At, Bytes);
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 29;
  };
  size_t Whole = Size / 8 * 8;
  for (size_t I = 0; I < Whole; I += 8)
    add(I, 8); // a load, as the compiler knows the size
  if (Whole < Size)
    add(Whole, Size - Whole);
  Hash = (Hash ^ Hash >> 32) * 0xbf58476d1ce4e5b9;
  Hash ^= Hash >> 32;
  std::string Text;
  for (int Shift = 60; Shift >= 0; Shift -= 4)
    Text += "0123456789abcdef"[Hash >> Shift & 15];
  return Text;
}

} // namespace clrewrite::opencl
