// The hash by which the job `run` tells what a buffer held.
//
// clrewrite knows some results beforehand (those of kernels that it generates);
// with the same hash on both sides it can hold every byte of a buffer to them
// without having it sent. It sees every byte, and is not meant to stand against
// an adversary. clrewrite-device includes this too: the standard library only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace clrewrite::opencl {

/// 64 bits in hex, of \p Size bytes: words of eight bytes as a little-endian
/// machine reads them, the last one filled up with zeros.
inline std::string hashBytes(const uint8_t *Data, size_t Size) {
  uint64_t Hash = Size;
  for (size_t I = 0; I < Size; I += 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, Data + I, std::min<size_t>(8, Size - I));
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 29;
  }
  Hash = (Hash ^ Hash >> 32) * 0xbf58476d1ce4e5b9;
  Hash ^= Hash >> 32;
  std::string Text;
  for (int Shift = 60; Shift >= 0; Shift -= 4)
    Text += "0123456789abcdef"[Hash >> Shift & 15];
  return Text;
}

} // namespace clrewrite::opencl
