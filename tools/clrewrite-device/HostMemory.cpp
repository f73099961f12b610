// Fenced memory and the handler of the faults that its fences raise.
#include "HostMemory.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace clrewrite::device {

static constexpr size_t FenceBytes = size_t(16) << 20;

HostMemory::HostMemory(size_t Bytes) : Size(Bytes) {
  void *P = ::mmap(nullptr, Bytes ? Bytes : 1, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    return;
  Start = static_cast<uint8_t *>(P);
  // The first touch of a page is a fault; a huge page takes one for 2 MiB.
  ::madvise(P, Bytes, MADV_HUGEPAGE);
}

HostMemory::HostMemory(HostMemory &&O) noexcept
    : Start(std::exchange(O.Start, nullptr)), Size(std::exchange(O.Size, 0)) {}

HostMemory &HostMemory::operator=(HostMemory &&O) noexcept {
  std::swap(Start, O.Start);
  std::swap(Size, O.Size);
  return *this;
}

HostMemory::~HostMemory() {
  if (Start)
    ::munmap(Start, Size ? Size : 1);
}

uint8_t canaryByte(size_t Index) {
  // No constant and no short period, so that no plausible store repeats it.
  return uint8_t((Index * 0x9e3779b1u) >> 11 ^ 0xc5);
}

void fillCanary(uint8_t *Data, size_t Size, size_t First) {
  for (size_t I = 0; I < Size; ++I)
    Data[I] = canaryByte(First + I);
}

std::optional<size_t> brokenCanary(const uint8_t *Data, size_t Size,
                                   size_t First) {
  for (size_t I = 0; I < Size; ++I)
    if (Data[I] != canaryByte(First + I))
      return I;
  return std::nullopt;
}

namespace {

/// One side of a buffer's fence, as the signal handler sees it.
struct Fence {
  std::atomic<uintptr_t> Begin{0};
  std::atomic<bool> Touched{false};
  std::atomic<uintptr_t> Where{0};
  std::atomic<int> Kind{0}; // 0 unknown, 1 read, 2 write
};

// A signal handler can only reach globals.
Fence Fences[256][2];

int accessKind(void *Context) {
#if defined(__x86_64__)
  auto *State = static_cast<ucontext_t *>(Context);
  return State->uc_mcontext.gregs[REG_ERR] & 2 ? 2 : 1;
#else
  (void)Context;
  return 0;
#endif
}

void onFault(int Signal, siginfo_t *Info, void *Context) {
  uintptr_t At = reinterpret_cast<uintptr_t>(Info->si_addr);
  for (auto &Sides : Fences)
    for (Fence &F : Sides) {
      uintptr_t Begin = F.Begin.load();
      if (!Begin || At < Begin || At >= Begin + FenceBytes)
        continue;
      if (!F.Touched.exchange(true)) {
        F.Where = At;
        F.Kind = accessKind(Context);
      }
      if (!::mprotect(reinterpret_cast<void *>(Begin), FenceBytes,
                      PROT_READ | PROT_WRITE))
        return;
    }
  // Not ours, or it can't be opened: die of it when the instruction runs again.
  ::signal(Signal, SIG_DFL);
}

} // namespace

void installFaultHandler() {
  struct sigaction Action = {};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &Action, nullptr);
}

std::optional<FencedMemory> FencedMemory::create(size_t Bytes, size_t Align,
                                                 FenceSide Side) {
  size_t Page = size_t(::sysconf(_SC_PAGESIZE));
  size_t Usable = (Bytes + Page - 1) / Page * Page;
  FencedMemory M{HostMemory()};
  M.All = HostMemory(Usable + 2 * FenceBytes);
  if (!M.All.data())
    return std::nullopt;
  M.Bytes = Bytes;
  M.Usable = Usable;
  size_t Slack = Side == FenceSide::End ? (Usable - Bytes) / Align * Align : 0;
  M.DataAt = FenceBytes + Slack;
  for (int I = 0; I < 256 && M.Slot < 0; ++I)
    if (!Fences[I][0].Begin)
      M.Slot = I;
  if (M.Slot < 0)
    return std::nullopt;
  uintptr_t Base = reinterpret_cast<uintptr_t>(M.All.data());
  Fences[M.Slot][0].Begin = Base;
  Fences[M.Slot][1].Begin = Base + FenceBytes + Usable;
  // Each page tells by itself whether it was touched.
  for (const Fence &F : Fences[M.Slot])
    ::madvise(reinterpret_cast<void *>(F.Begin.load()), FenceBytes,
              MADV_NOHUGEPAGE);
  M.arm();
  return M;
}

FencedMemory::FencedMemory(HostMemory &&Empty) : All(std::move(Empty)) {}

FencedMemory::FencedMemory(FencedMemory &&O) noexcept
    : All(std::move(O.All)), Bytes(O.Bytes), Usable(O.Usable), DataAt(O.DataAt),
      Slot(std::exchange(O.Slot, -1)) {}

FencedMemory::~FencedMemory() {
  if (Slot < 0)
    return;
  for (Fence &F : Fences[Slot])
    F.Begin = 0;
}

void FencedMemory::arm() {
  for (Fence &F : Fences[Slot]) {
    void *Begin = reinterpret_cast<void *>(F.Begin.load());
    // Drop what an opened fence may have taken, then close it.
    ::madvise(Begin, FenceBytes, MADV_DONTNEED);
    ::mprotect(Begin, FenceBytes, PROT_NONE);
    F.Touched = false;
  }
  uint8_t *Low = All.data() + FenceBytes, *End = Low + Usable;
  fillCanary(Low, size_t(data() - Low));
  fillCanary(data() + Bytes, size_t(End - data()) - Bytes);
}

/// How many bytes of the opened fence at \p Begin lie before the end of the
/// last page that was touched.
static size_t touchedBytes(uintptr_t Begin) {
  size_t Page = size_t(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> Pages(FenceBytes / Page);
  if (::mincore(reinterpret_cast<void *>(Begin), FenceBytes, Pages.data()))
    return 0;
  size_t Count = Pages.size();
  while (Count && !(Pages[Count - 1] & 1))
    --Count;
  return Count * Page;
}

std::vector<Trespass> FencedMemory::trespasses() const {
  static constexpr const char *Kinds[] = {"access", "read", "write"};
  std::vector<Trespass> Found;
  uintptr_t Data = reinterpret_cast<uintptr_t>(data());
  for (const Fence &F : Fences[Slot])
    if (F.Touched) {
      uintptr_t Begin = F.Begin;
      int64_t Offset = int64_t(F.Where.load() - Data), Reach = Offset;
      if (Begin > Data)
        Reach =
            std::max(Reach, int64_t(Begin + touchedBytes(Begin) - Data) - 1);
      Found.push_back({Offset, Reach, Kinds[F.Kind]});
    }
  uint8_t *Low = All.data() + FenceBytes, *End = Low + Usable;
  if (auto At = brokenCanary(Low, size_t(data() - Low))) {
    int64_t Offset = int64_t(*At) - int64_t(data() - Low);
    Found.push_back({Offset, Offset, "write"});
  }
  if (auto At = brokenCanary(data() + Bytes, size_t(End - data()) - Bytes))
    Found.push_back({int64_t(Bytes + *At), int64_t(Bytes + *At), "write"});
  return Found;
}

} // namespace clrewrite::device
