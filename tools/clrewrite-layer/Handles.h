// Tables of the program's OpenCL objects, by handle.
//
// A handle's value comes back for another object once the first is gone. So an
// entry is replaced when the driver hands its value out again, and goes when
// the program has released the object as often as it made and retained it.
//
// Programs launch the same few kernels on the same few queues over and over. So
// each thread remembers what it asked for last, and a table counts its changes:
// while that count stands still what is remembered holds, without any lock.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace clrewrite::layer {

/// The object that this thread asked a table of T for last.
template <class T> struct Remembered {
  struct Slot {
    const void *Handle = nullptr;
    uint64_t Change = 0; // of the table when it was asked; 0: an empty slot
    std::shared_ptr<T> What;
  };
  std::array<Slot, 16> Slots;

  Slot &of(const void *Handle) {
    auto Bits = reinterpret_cast<uintptr_t>(Handle);
    return Slots[(Bits >> 4 ^ Bits >> 8 ^ Bits >> 12) % 16];
  }

  /// A thread whose destructors use OpenCL after ours has run gets another,
  /// which nobody deletes.
  static Remembered &ofThisThread() {
    static thread_local Remembered *Mine = nullptr;
    if (Mine)
      return *Mine;
    struct Owner {
      ~Owner() {
        delete Mine;
        Mine = nullptr;
      }
    };
    static thread_local Owner Own;
    (void)&Own;
    return *(Mine = new Remembered);
  }
};

/// There is one table of each T.
template <class T> class HandleTable {
public:
  using Object = std::shared_ptr<T>;

  void put(const void *Handle, Object O) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    Entries[Handle] = {std::move(O), 1};
    ++Changes;
  }

  /// Enters \p O unless another thread was quicker; returns what is there.
  Object adopt(const void *Handle, Object O) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    ++Changes;
    return Entries.insert({Handle, {std::move(O), 1}}).first->second.What;
  }

  Object get(const void *Handle) const {
    std::shared_lock<std::shared_mutex> Guard(Lock);
    auto It = Entries.find(Handle);
    return It == Entries.end() ? nullptr : It->second.What;
  }

  /// The same, faster where this thread asked for it before. The reference
  /// holds until this thread asks for another.
  const Object &recent(const void *Handle) const {
    auto &S = Remembered<T>::ofThisThread().of(Handle);
    uint64_t Now = Changes.load(std::memory_order_acquire);
    if (S.Handle != Handle || S.Change != Now)
      S = {Handle, Now, get(Handle)};
    return S.What;
  }

  void retain(const void *Handle) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    if (auto It = Entries.find(Handle); It != Entries.end())
      ++It->second.References;
  }

  /// To be called before the driver's own release: after it, another thread may
  /// have got the handle for a new object. Returns what is gone.
  Object release(const void *Handle) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    auto It = Entries.find(Handle);
    if (It == Entries.end() || --It->second.References)
      return nullptr;
    Object Gone = std::move(It->second.What);
    Entries.erase(It);
    ++Changes;
    return Gone;
  }

  std::vector<std::pair<const void *, Object>> all() const {
    std::shared_lock<std::shared_mutex> Guard(Lock);
    std::vector<std::pair<const void *, Object>> List;
    for (const auto &[Handle, E] : Entries)
      List.push_back({Handle, E.What});
    return List;
  }

private:
  struct Entry {
    Object What;
    unsigned References;
  };
  mutable std::shared_mutex Lock;
  std::unordered_map<const void *, Entry> Entries;
  std::atomic<uint64_t> Changes{1};
};

} // namespace clrewrite::layer
