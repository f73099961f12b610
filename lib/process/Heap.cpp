// glibc's heap is told not to give memory back, and Linux to back it with
// large pages.
#include "process/Heap.h"
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace clrewrite::process {

void keepHeap() {
#ifdef __GLIBC__
  constexpr size_t MiB = 1 << 20, Reserved = 128 * MiB, Large = 2 * MiB;
  constexpr size_t MostInHeap = 32 * MiB; // the most that glibc takes
  ::mallopt(M_MMAP_THRESHOLD, MostInHeap);
  ::mallopt(M_TRIM_THRESHOLD, 2 * Reserved);
  // The heap grows by so much once, for a piece that is given back untouched.
  ::mallopt(M_TOP_PAD, Reserved);
  void *Piece = ::malloc(MostInHeap - MiB);
  auto Begin = (reinterpret_cast<uintptr_t>(Piece) + Large - 1) & -Large;
  auto End = reinterpret_cast<uintptr_t>(::sbrk(0)) & -Large;
  if (Piece && Begin < End && End - Begin <= Reserved + MostInHeap)
    ::madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
  ::free(Piece);
  ::mallopt(M_TOP_PAD, 4 * MiB);
#endif
}

} // namespace clrewrite::process
