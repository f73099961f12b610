// Buffers of pages that are made when they are touched.
#include "measure/execute/DeviceMemory.h"
#include "measure/execute/LaneMath.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {

uint64_t DeviceMemory::add(uint64_t Bytes, Contents Filled, bool Counted) {
  Buffers.push_back({Bytes, Filled, Counted});
  return uint64_t(Buffers.size()) << OffsetBits;
}

uint64_t scattered(uint64_t V) {
  V = (V ^ (V >> 30)) * 0xbf58476d1ce4e5b9;
  V = (V ^ (V >> 27)) * 0x94d049bb133111eb;
  return V ^ (V >> 31);
}

void DeviceMemory::fill(Page &P, uint64_t First, const Buffer &B,
                        uint64_t Number) const {
  P.fill(0);
  unsigned Size = B.Filled.ElementBytes;
  for (size_t At = 0; Size && At + Size <= PageBytes; At += Size) {
    uint64_t Random = scattered((Number << OffsetBits) + First + At + 1);
    double Real = double(Random >> 11) / double(uint64_t(1) << 52) - 1;
    uint64_t Bits = Random % 101;
    if (B.Filled.Floating)
      Bits = Size == 8   ? bit_cast<uint64_t>(Real)
             : Size == 4 ? bit_cast<uint32_t>(float(Real))
                         : halfOf(float(Real));
    std::memcpy(&P[At], &Bits, Size);
  }
}

DeviceMemory::Page *DeviceMemory::page(uint64_t At) {
  uint64_t Number = At >> PageBits;
  if (Number == LastNumber)
    return Last;
  std::unique_ptr<Page> &P = Pages[Number];
  if (!P) {
    Full = Pages.size() * PageBytes > MostBytes;
    if (Full)
      return nullptr;
    P = std::make_unique<Page>();
    uint64_t Which = bufferOf(At);
    uint64_t First = (Number << PageBits) - (Which << OffsetBits);
    fill(*P, First, Buffers[Which - 1], Which);
  }
  LastNumber = Number;
  return Last = P.get();
}

template <typename Move>
bool DeviceMemory::move(uint64_t At, size_t Bytes, Move Each) {
  uint64_t Which = bufferOf(At), Offset = At - (Which << OffsetBits);
  if (Which == 0 || Which > Buffers.size() ||
      Offset > Buffers[Which - 1].Bytes ||
      Bytes > Buffers[Which - 1].Bytes - Offset)
    return false;
  for (size_t Done = 0; Done < Bytes;) {
    Page *P = page(At + Done);
    if (!P)
      return false;
    size_t In = (At + Done) % PageBytes;
    size_t N = std::min(Bytes - Done, PageBytes - In);
    Each(P->data() + In, Done, N);
    Done += N;
  }
  return true;
}

bool DeviceMemory::read(uint64_t At, MutableArrayRef<uint8_t> Into) {
  return move(At, Into.size(), [&](const uint8_t *P, size_t Done, size_t N) {
    std::memcpy(Into.data() + Done, P, N);
  });
}

bool DeviceMemory::write(uint64_t At, ArrayRef<uint8_t> From) {
  return move(At, From.size(), [&](uint8_t *P, size_t Done, size_t N) {
    std::memcpy(P, From.data() + Done, N);
  });
}

} // namespace clrewrite::measure
