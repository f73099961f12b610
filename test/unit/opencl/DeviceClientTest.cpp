// The client of the device protocol, against fakes that answer, crash, hang,
// and talk nonsense; and against the real program's hello.
#include "opencl/DeviceClient.h"
#include "opencl/Contents.h"
#include "opencl/DeviceProcess.h"
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::opencl;
using namespace llvm;

/// A fake in sh: answers hello, then runs \p Rest, in which $id is the id of
/// the job that has come.
static DeviceCommand fake(const std::string &Rest, unsigned Seconds = 10) {
  DeviceCommand C = DeviceCommand::shell(
      "answer() { echo \"{\\\"v\\\":1,\\\"id\\\":$id,\\\"ok\\\":true$1}\"; }\n"
      "while read -r line; do\n"
      "  id=${line#*\\\"id\\\":}; id=${id%%[,\\}]*}\n"
      "  case $line in *hello*) answer ',\"protocol\":1'; continue;; esac\n" +
      Rest + "\ndone");
  C.Seconds = Seconds;
  return C;
}

static std::unique_ptr<DeviceClient> start(DeviceCommand C) {
  auto Client = DeviceClient::start(std::move(C));
  EXPECT_TRUE(bool(Client)) << toString(Client.takeError());
  return std::move(*Client);
}

static std::string startError(DeviceCommand C) {
  auto Client = DeviceClient::start(std::move(C));
  EXPECT_FALSE(bool(Client));
  return toString(Client.takeError());
}

static json::Object job(const char *Name) {
  return json::Object{{"job", Name}};
}

TEST(DeviceClient, ReturnsTheAnswer) {
  auto Client = start(fake("answer ',\"x\":7'"));
  DeviceAnswer A = Client->call(job("anything"));
  EXPECT_TRUE(A.ok()) << A.Problem;
  EXPECT_EQ(A.Body.getInteger("x"), 7);
}

TEST(DeviceClient, AnOlderProgramIsAskedForNoSizesOfVersions) {
  auto Client = start(fake("answer"));
  json::Object Job = job("run");
  Job["versions"] =
      json::Array{json::Object(), json::Object{{"global", json::Array{4}}}};
  DeviceAnswer A = Client->call(std::move(Job));
  EXPECT_EQ(A.Status, DeviceAnswer::Refused);
  EXPECT_EQ(A.Problem, "the device program is too old to launch two versions "
                       "of a kernel with different sizes");
  EXPECT_TRUE(Client->call(job("run")).ok());
}

/// A fake that keeps contents and answers how the fill of a job begins; a job
/// that says so finds nothing kept, or crashes it.
static DeviceCommand keeper() {
  return DeviceCommand::shell(
      "answer() { echo \"{\\\"v\\\":1,\\\"id\\\":$id,\\\"ok\\\":$1}\"; }\n"
      "while read -r line; do\n"
      "  id=${line#*\\\"id\\\":}; id=${id%%[,\\}]*}\n"
      "  case $line in\n"
      "  *hello*) answer 'true,\"protocol\":1,\"keeps\":true';;\n"
      "  *crash*) kill -SEGV $$;;\n"
      "  *kept:*forgets*) answer 'false,\"error\":{\"name\":\"NOT_KEPT\"}';;\n"
      "  *keep:*) answer 'true,\"how\":\"keep\"';;\n"
      "  *kept:*) answer 'true,\"how\":\"kept\"';;\n"
      "  *) answer 'true,\"how\":\"plain\"';; esac\ndone");
}

static std::string howSent(DeviceClient &Client, std::string Fill,
                           const char *Name = "run") {
  json::Object Job = job(Name);
  Job["args"] = json::Array{json::Object{
      {"buffer", json::Object{{"bytes", 4}, {"fill", std::move(Fill)}}}}};
  DeviceAnswer A = Client.call(std::move(Job));
  EXPECT_TRUE(A.ok()) << A.Problem;
  return A.Body.getString("how").value_or("").str();
}

TEST(DeviceClient, SendsContentsOnce) {
  auto Client = start(keeper());
  unsigned Reads = 0;
  std::string One = fillBy("one",
                           [&]() -> Expected<std::string> {
                             ++Reads;
                             return "abc";
                           }),
              Two = fillBy("two",
                           []() -> Expected<std::string> { return "def"; });
  EXPECT_EQ(howSent(*Client, One), "keep");
  EXPECT_EQ(howSent(*Client, One), "kept");
  EXPECT_EQ(Reads, 1u);
  EXPECT_EQ(howSent(*Client, Two), "keep");
  EXPECT_EQ(howSent(*Client, "base64:AAAA"), "plain");
  EXPECT_EQ(howSent(*Client, "floats:0:1"), "plain");
  // What the program has forgotten is sent again; so is what a new one lacks.
  EXPECT_EQ(howSent(*Client, One, "forgets"), "keep");
  EXPECT_EQ(Client->call(job("crash")).Status, DeviceAnswer::Crashed);
  EXPECT_EQ(howSent(*Client, One), "keep");
}

TEST(DeviceClient, AnOlderProgramIsAskedToKeepNothing) {
  auto Client =
      start(fake("case $line in *keep:*|*kept:*|*contents:*) kill $$;; "
                 "*base64:YWJj*) answer ',\"how\":\"plain\"';; esac"));
  std::string Fill =
      fillBy("old", []() -> Expected<std::string> { return "abc"; });
  EXPECT_EQ(howSent(*Client, Fill), "plain");
  EXPECT_EQ(howSent(*Client, Fill), "plain");
}

TEST(DeviceClient, ContentsThatCannotBeReadAreToldOnce) {
  auto Client = start(keeper());
  json::Object Job = job("run");
  Job["args"] = json::Array{json::Object{
      {"buffer",
       json::Object{{"bytes", 4},
                    {"fill", fillBy("gone", []() -> Expected<std::string> {
                       return createStringError("its file is gone");
                     })}}}}};
  DeviceAnswer A = Client->call(std::move(Job));
  EXPECT_EQ(A.Status, DeviceAnswer::Refused);
  EXPECT_EQ(A.Problem, "its file is gone");
  EXPECT_TRUE(Client->call(job("run")).ok());
}

TEST(DeviceClient, ACrashCostsOneJob) {
  auto Client =
      start(fake("case $line in *bad*) kill -SEGV $$;; esac; answer"));
  EXPECT_TRUE(Client->call(job("good")).ok());
  DeviceAnswer A = Client->call(job("bad"));
  EXPECT_EQ(A.Status, DeviceAnswer::Crashed);
  EXPECT_EQ(A.Problem, "crashed (SIGSEGV)");
  EXPECT_TRUE(Client->call(job("good")).ok());
}

TEST(DeviceClient, AnAnswerWithoutEndIsNone) {
  auto Client = start(fake("tr '\\0' x < /dev/zero"));
  DeviceAnswer A = Client->call(job("anything"));
  EXPECT_EQ(A.Status, DeviceAnswer::Crashed);
  EXPECT_EQ(A.Problem, "sent more than 64 MiB");
}

TEST(DeviceClient, SaysWhatAChildOfTheShellDiedOf) {
  auto Client = start(fake("sh -c 'kill -ABRT $$'; exit $?"));
  DeviceAnswer A = Client->call(job("bad"));
  EXPECT_EQ(A.Problem.find("crashed (SIGABRT)"), 0u) << A.Problem;
}

TEST(DeviceClient, KeepsTheLastWords) {
  auto Client =
      start(fake("echo first >&2; echo the driver is gone >&2; exit 4"));
  DeviceAnswer A = Client->call(job("bad"));
  EXPECT_EQ(A.Problem, "ended with status 4: the driver is gone");
}

TEST(DeviceClient, AHangEndsAtTheLimit) {
  auto Client =
      start(fake("case $line in *hang*) sleep 1000;; esac; answer", 1));
  auto Began = std::chrono::steady_clock::now();
  DeviceAnswer A = Client->call(job("hang"));
  auto Took = std::chrono::steady_clock::now() - Began;
  EXPECT_EQ(A.Status, DeviceAnswer::TimedOut);
  EXPECT_EQ(A.Problem, "exceeded 1 s");
  EXPECT_LT(Took, std::chrono::seconds(5));
  EXPECT_TRUE(Client->call(job("good")).ok());
}

TEST(DeviceClient, AJobLargerThanAnyPipeGetsThrough) {
  auto Client = start(fake("answer \",\\\"n\\\":${#line}\"", 60));
  json::Object Job = job("big");
  Job["source"] = std::string(1 << 20, 'x');
  DeviceAnswer A = Client->call(std::move(Job));
  ASSERT_TRUE(A.ok()) << A.Problem;
  EXPECT_GT(*A.Body.getInteger("n"), 1 << 20);
}

TEST(DeviceClient, AProgramThatReadsNothingIsNotWaitedForTwice) {
  DeviceCommand C = DeviceCommand::shell("exec sleep 1000");
  C.Seconds = 1;
  EXPECT_EQ(startError(C), "the device program exceeded 1 s");
}

TEST(DeviceClient, NonsenseIsNoAnswer) {
  auto Client = start(fake("case $line in *bad*) echo nonsense;; "
                           "*old*) echo '{\"id\":0,\"ok\":true}';; "
                           "*) answer;; esac"));
  DeviceAnswer A = Client->call(job("bad"));
  EXPECT_EQ(A.Status, DeviceAnswer::Garbled);
  EXPECT_EQ(A.Problem,
            "can not be understood: its answer is not JSON: 'nonsense'");
  EXPECT_EQ(Client->call(job("old")).Status, DeviceAnswer::Garbled);
  EXPECT_TRUE(Client->call(job("good")).ok());
}

TEST(DeviceClient, ARefusalKeepsItsReason) {
  auto Client = start(
      fake("echo \"{\\\"id\\\":$id,\\\"ok\\\":false,\\\"error\\\":{\\\"code\\\""
           ":-11,\\\"message\\\":\\\"no such thing\\\"}}\""));
  DeviceAnswer A = Client->call(job("bad"));
  EXPECT_EQ(A.Status, DeviceAnswer::Refused);
  EXPECT_EQ(A.Problem, "no such thing");
  EXPECT_EQ(A.Body.getInteger("code"), -11);
}

TEST(DeviceClient, ADriverThatAsksForItIsStartedAnew) {
  auto Client = start(
      fake("n=$((n+1)); case $line in *bad*) echo \"{\\\"id\\\":$id,\\\"ok\\\":"
           "false,\\\"error\\\":{\\\"restart\\\":true}}\";; "
           "*) answer \",\\\"n\\\":$n\";; esac"));
  EXPECT_EQ(Client->call(job("a")).Body.getInteger("n"), 1);
  EXPECT_EQ(Client->call(job("b")).Body.getInteger("n"), 2);
  EXPECT_EQ(Client->call(job("bad")).Status, DeviceAnswer::Refused);
  EXPECT_EQ(Client->call(job("a")).Body.getInteger("n"), 1);
}

TEST(DeviceClient, RefusesAnotherProtocol) {
  EXPECT_EQ(startError(DeviceCommand::shell(
                "read line; echo '{\"id\":1,\"ok\":true,\"protocol\":2}'")),
            "the device program speaks protocol 2, this clrewrite speaks 1");
}

TEST(DeviceClient, SaysWhereThereIsNoProgram) {
  DeviceCommand C;
  C.Words = {"/nowhere/clrewrite-device"};
  EXPECT_EQ(startError(C),
            "the device program ended with status 127: cannot run "
            "/nowhere/clrewrite-device: No such file or directory");
}

TEST(DeviceClient, StartsTheRealProgram) {
  DeviceCommand C;
  C.Words = {DEVICE_PROGRAM};
  auto Client = start(C);
  DeviceAnswer A = Client->call(job("unheard-of"));
  EXPECT_EQ(A.Status, DeviceAnswer::Refused);
  EXPECT_EQ(A.Problem, "unknown job 'unheard-of'");
}

TEST(DeviceClient, ACrashOfTheRealProgramCostsOneJob) {
  // In the asan preset the sanitizer would exit in its own way.
  ::setenv("ASAN_OPTIONS", "handle_segv=0", /*overwrite=*/0);
  DeviceCommand C;
  C.Words = {DEVICE_PROGRAM};
  auto Client = start(C);
  DeviceAnswer List = Client->call(job("devices"));
  ASSERT_TRUE(List.ok()) << List.Problem;
  const json::Array *Devices = List.Body.getArray("devices");
  ASSERT_TRUE(Devices);
  if (Devices->empty() ||
      *(*Devices)[0].getAsObject()->getString("type") != "cpu")
    GTEST_SKIP() << "no OpenCL CPU device here";
  auto Run = [&](const char *Source) {
    json::Object Job = job("run");
    Job["versions"] =
        json::Array{json::Object{{"source", Source}, {"kernel", "k"}}};
    Job["global"] = json::Array{1};
    Job["args"] =
        json::Array{json::Object{{"buffer", json::Object{{"bytes", 64}}}}};
    return Client->call(std::move(Job));
  };
  DeviceAnswer A = Run("kernel void k(global int *p) { p[1L << 44] = 1; }");
  EXPECT_EQ(A.Status, DeviceAnswer::Crashed);
  EXPECT_EQ(A.Problem.find("crashed (SIGSEGV)"), 0u) << A.Problem;
  A = Run("kernel void k(global int *p) { p[1] = 1; }");
  EXPECT_TRUE(A.ok()) << A.Problem;
}

TEST(DeviceClient, FindsTheProgramBesideItself) {
  EXPECT_EQ(StringRef(DeviceCommand::beside("x").Words[0]).rsplit('/').second,
            "clrewrite-device");
}
