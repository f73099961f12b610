// What the layer knows about the program's OpenCL objects, by handle.
//
// A handle's value comes back for another object once the first is gone. So an
// entry is replaced when the driver hands its value out again, and goes when
// the program has released the object as often as it made and retained it.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace clrewrite::layer {

template <class T> class HandleTable {
public:
  using Object = std::shared_ptr<T>;

  void put(const void *Handle, Object O) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    Entries[Handle] = {std::move(O), 1};
  }

  /// Enters \p O unless another thread was quicker; returns what is there.
  Object adopt(const void *Handle, Object O) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    return Entries.insert({Handle, {std::move(O), 1}}).first->second.What;
  }

  Object get(const void *Handle) const {
    std::shared_lock<std::shared_mutex> Guard(Lock);
    auto It = Entries.find(Handle);
    return It == Entries.end() ? nullptr : It->second.What;
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
};

} // namespace clrewrite::layer
