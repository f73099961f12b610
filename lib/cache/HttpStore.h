// A cache's store that many hosts reach over HTTP: any server that takes GET
// and PUT, as those of ccache and Bazel are.
//
// The program clrewrite-store talks to it (tools/clrewrite-store): what a
// server sends is read by a process that has no source and no key, within
// limits of time and size. A server that can't be reached, or gives no answer
// in time, is not asked again in this run.
#pragma once

#include "process/Workers.h"

namespace clrewrite::cache {

class HttpStore {
public:
  /// That of $CLREWRITE_CACHE_URL; null where it names none.
  static std::unique_ptr<HttpStore> given();

  std::optional<std::string> get(llvm::StringRef Name);
  void put(llvm::StringRef Name, llvm::StringRef Text);

  /// Says on stderr what is wrong with the store, the first time alone.
  void warn(llvm::StringRef Why);

private:
  HttpStore();

  process::Workers Program;
  bool Gone = false, TakesNone = false, Told = false;

  std::optional<std::string> ask(const std::string &Question);
};

} // namespace clrewrite::cache
