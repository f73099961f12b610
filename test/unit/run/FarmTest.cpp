// The farm file, and which machine a target means.
#include "run/Farm.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite::run;
using namespace llvm;

namespace {

/// What \p Text is read as: "NAME=COMMAND;" of each machine, or the error
/// without the file's name.
std::string read(StringRef Text) {
  SmallString<64> Path;
  int FD;
  EXPECT_FALSE(sys::fs::createTemporaryFile("farm", "", FD, Path));
  {
    raw_fd_ostream OS(FD, /*shouldClose=*/true);
    OS << Text;
  }
  auto Hosts = readFarm(std::string(Path));
  sys::fs::remove(Path);
  if (!Hosts)
    return StringRef(toString(Hosts.takeError())).drop_front(Path.size()).str();
  std::string Out;
  for (const FarmHost &H : *Hosts)
    Out += H.Name + "=" + H.Command + ";";
  return Out;
}

} // namespace

TEST(Farm, ALineIsAMachine) {
  EXPECT_EQ(read("# ours\n\na   ssh a clrewrite-device \n"
                 "b\tsrun --gres=gpu:1 clrewrite-device"),
            "a=ssh a clrewrite-device;b=srun --gres=gpu:1 clrewrite-device;");
}

TEST(Farm, WhatIsWrongHasItsLine) {
  EXPECT_EQ(read("\na\n"),
            ":2: the command that starts clrewrite-device there is missing, "
            "such as: a ssh a clrewrite-device");
  EXPECT_EQ(read("a x\na y\n"), ":2: there are two machines a");
  EXPECT_EQ(read("a/b x\n"), ":1: a machine's name has no slash");
  EXPECT_EQ(read("# nothing\n"), ": names no machine");
  auto None = readFarm("/nowhere/farm");
  ASSERT_FALSE(bool(None));
  EXPECT_NE(toString(None.takeError()).find("/nowhere/farm"),
            std::string::npos);
}

TEST(Farm, TargetsNameMachines) {
  const std::vector<FarmHost> Hosts{{"a", "x"}, {"b", "y"}};
  EXPECT_EQ(cantFail(hostOf("b/H200", Hosts)), &Hosts[1]);
  EXPECT_EQ(cantFail(hostOf("b/", Hosts)), &Hosts[1]);
  EXPECT_EQ(cantFail(hostOf("H200", Hosts)), nullptr);
  auto None = hostOf("c/H200", Hosts);
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(toString(None.takeError()),
            "target 'device:c/H200': the farm has no machine c (there are: a, "
            "b)");
}
