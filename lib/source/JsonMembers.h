// JSON of a struct by one list of its members, for both ways:
//
//   template <typename Io> static bool mapMembers(Io &O, Edit &E) {
//     return O.map("offset", E.Offset) && mapBytes(O, "text", E.Text);
//   }
//
// toJSON() and fromJSON() of a header call written() and readInto(). What has
// no header gets both where its namespace says `using json_members::toJSON`,
// and the same of fromJSON.
#pragma once

#include "source/BoundedJson.h"
#include <map>

namespace clrewrite {

/// Writes what llvm::json::ObjectMapper reads. A text that is no UTF-8 becomes
/// some.
struct JsonWriter {
  llvm::json::Object Out;

  template <typename T> bool map(llvm::StringLiteral Name, const T &Member) {
    Out[Name] = Member;
    return true;
  }
  bool map(llvm::StringLiteral Name, const std::string &Text) {
    Out[Name] = llvm::json::fixUTF8(Text);
    return true;
  }
  bool map(llvm::StringLiteral Name, const std::vector<std::string> &List) {
    llvm::json::Array All;
    for (const std::string &Text : List)
      All.push_back(llvm::json::fixUTF8(Text));
    Out[Name] = std::move(All);
    return true;
  }
  template <typename T>
  bool map(llvm::StringLiteral Name, const std::map<std::string, T> &Members) {
    llvm::json::Object All;
    for (const auto &[Key, Value] : Members)
      All[Key] = Value;
    Out[Name] = std::move(All);
    return true;
  }
  template <typename T>
  bool mapOptional(llvm::StringLiteral Name, const T &Member) {
    return map(Name, Member);
  }
};

inline bool mapBytes(JsonWriter &O, llvm::StringLiteral Name,
                     const std::string &Bytes) {
  return O.map(Name, textOfBytes(Bytes));
}
inline bool mapBytes(JsonWriter &O, llvm::StringLiteral Name,
                     const std::vector<std::string> &List) {
  O.Out[Name] = textsOfBytes(List);
  return true;
}

/// An enumerator, as its number.
template <typename T>
bool mapNumber(JsonWriter &O, llvm::StringLiteral Name, T Member) {
  return O.map(Name, int(Member));
}
template <typename T>
bool mapNumber(llvm::json::ObjectMapper &O, llvm::StringLiteral Name,
               T &Member) {
  int Number = 0;
  if (!O.map(Name, Number))
    return false;
  Member = T(Number);
  return true;
}

template <typename T> llvm::json::Value written(const T &Of) {
  JsonWriter O;
  mapMembers(O, const_cast<T &>(Of)); // A writer changes nothing.
  return std::move(O.Out);
}

template <typename T>
bool readInto(T &To, const llvm::json::Value &V, llvm::json::Path P) {
  llvm::json::ObjectMapper O(V, P);
  return O && mapMembers(O, To);
}

namespace json_members {

template <typename T>
using IfMapped =
    decltype(mapMembers(std::declval<JsonWriter &>(), std::declval<T &>()));

template <typename T, typename = IfMapped<T>>
llvm::json::Value toJSON(const T &Of) {
  return written(Of);
}

template <typename T, typename = IfMapped<T>>
bool fromJSON(const llvm::json::Value &V, T &To, llvm::json::Path P) {
  return readInto(To, V, P);
}

} // namespace json_members
} // namespace clrewrite
