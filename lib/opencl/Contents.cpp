#include "opencl/Contents.h"
#include "llvm/Support/Base64.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace clrewrite::opencl {
namespace {

constexpr StringLiteral Prefix = "contents:";

/// Names are those of bytes, so that one table serves all jobs of a process.
struct Table {
  std::mutex Lock;
  std::map<std::string, ReadContents, std::less<>> Known;
};

Table &table() {
  static Table All;
  return All;
}

} // namespace

std::string fillBy(StringRef Name, ReadContents Read) {
  Table &All = table();
  std::lock_guard<std::mutex> Guard(All.Lock);
  All.Known[Name.str()] = std::move(Read);
  return (Prefix + Name).str();
}

StringRef contentsIn(StringRef Fill) {
  return Fill.consume_front(Prefix) ? Fill : StringRef();
}

Expected<std::string> contentsOf(StringRef Name) {
  ReadContents Read;
  {
    Table &All = table();
    std::lock_guard<std::mutex> Guard(All.Lock);
    if (auto It = All.Known.find(Name); It != All.Known.end())
      Read = It->second;
  }
  if (!Read)
    return createStringError("nobody has given the contents " + Name);
  Expected<std::string> Bytes = Read();
  if (!Bytes)
    return Bytes.takeError();
  return "base64:" + encodeBase64(*Bytes);
}

} // namespace clrewrite::opencl
