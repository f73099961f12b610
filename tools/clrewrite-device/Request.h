// Reading a job's members, with an error that names the one that is wrong.
#pragma once

#include "Problem.h"
#include <array>
#include <vector>

namespace clrewrite::device {

/// A view of a job's JSON object. The first member found missing or of the
/// wrong kind is remembered, so that a reader checks once, at the end.
class Request {
  const Json &Object;
  std::string Path;
  std::string &Wrong;

public:
  /// \p Wrong receives what is wrong and must outlive this.
  Request(const Json &Object, std::string Path, std::string &Wrong)
      : Object(Object), Path(std::move(Path)), Wrong(Wrong) {}

  bool has(const char *Name) const;
  const Json *find(const char *Name) const;
  std::string text(const char *Name, const char *Default = nullptr);
  uint64_t count(const char *Name, std::optional<uint64_t> Default,
                 uint64_t Most);
  bool flag(const char *Name, bool Default);
  /// One to three non-negative numbers; empty where absent or null and not
  /// \p Needed.
  std::vector<size_t> sizes(const char *Name, bool Needed);
  /// The text of member \p Name, or of NAME_base64 where the bytes are not
  /// UTF-8.
  std::string bytes(const char *Name);
  void fail(const char *Name, const std::string &Expected);
  /// The first error that was found.
  Status problem() const {
    return Wrong.empty() ? Status() : badRequest(Wrong);
  }
  /// A view of the member object \p Inner, called \p Name in messages.
  Request inside(const Json &Inner, const std::string &Name) const {
    return Request(Inner, Path + Name + ".", Wrong);
  }
};

} // namespace clrewrite::device
