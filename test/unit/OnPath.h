// A program of a test's own, found on PATH before the system's.
#pragma once

#include "source/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace clrewrite::test {

/// While it lives, \p Name is a shell's script of \p Lines.
class OnPath {
public:
  OnPath(llvm::StringRef Name, llvm::StringRef Lines) : Before(getenv("PATH")) {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("on-path", Folder));
    EXPECT_FALSE(llvm::errorToBool(
        putText(path(Name), ("#!/bin/sh\n" + Lines + "\n").str())));
    EXPECT_FALSE(
        llvm::sys::fs::setPermissions(path(Name), llvm::sys::fs::owner_all));
    ::setenv("PATH", (Folder + ":" + Before).str().c_str(), 1);
  }
  ~OnPath() {
    ::setenv("PATH", Before.c_str(), 1);
    llvm::sys::fs::remove_directories(Folder);
  }
  /// A file beside the script.
  std::string path(llvm::StringRef Name) const {
    return (Folder + "/" + Name).str();
  }

private:
  std::string Before;
  llvm::SmallString<128> Folder;
};

} // namespace clrewrite::test
