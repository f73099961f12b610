// The tests have this program in the place of the device program
// (shared_device.py). Where clrewrite starts it, it asks the pool of its lit
// process for a device program that runs already, takes jobs to that and
// answers back, and ends with its status, if that ended. Where anybody else
// starts it, or there is no pool that it may ask, it becomes the device
// program.
//
// It is no script, since Python takes longer to start than most jobs last.
//
// It sends the pool what it wants, and gets the pipes of a program. At its end
// it says "d" where each job has its answer, so that others can use the
// program, or "e" where that has ended; then the pool sends its status.
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace {

/// The name of the pool that this process may ask; empty where there is none.
std::string poolFor(const std::vector<std::string> &Words) {
  const char *Told = ::getenv("CLREWRITE_TEST_DEVICES");
  // clrewrite names a folder for what the driver compiles; others ask for other
  // things.
  bool RunsKernels = false;
  for (const std::string &Word : Words)
    RunsKernels |= Word.compare(0, 10, "--private=") == 0;
  char Mounts[64] = {};
  if (!Told || !RunsKernels ||
      ::readlink("/proc/self/ns/mnt", Mounts, sizeof Mounts - 1) < 0)
    return "";
  // The pool's programs are its user's, and see its files.
  const std::string Here = " " + std::to_string(::geteuid()) + " " + Mounts;
  const std::string Pool = Told;
  if (Pool.size() < Here.size() ||
      Pool.compare(Pool.size() - Here.size(), Here.size(), Here) != 0)
    return "";
  return Pool.substr(0, Pool.size() - Here.size());
}

/// A line to the pool; below 0 where it is in another network, or has ended.
int connectTo(const std::string &Pool) {
  sockaddr_un Name = {};
  Name.sun_family = AF_UNIX;
  if (Pool.empty() || Pool.size() >= sizeof Name.sun_path)
    return -1;
  // The name is no file's: it begins with a zero.
  ::memcpy(Name.sun_path + 1, Pool.data(), Pool.size());
  const socklen_t Length =
      socklen_t(offsetof(sockaddr_un, sun_path) + 1 + Pool.size());
  int Line = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (Line < 0 || ::connect(Line, reinterpret_cast<sockaddr *>(&Name), Length))
    return -1;
  return Line;
}

bool sendAll(int Line, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Sent = ::send(Line, Text.data(), Text.size(), MSG_NOSIGNAL);
    if (Sent < 0)
      return false;
    Text.remove_prefix(size_t(Sent));
  }
  return true;
}

/// Asks for a program: the number of words, those, the folder, and the
/// environment, each of which ends with a zero.
bool askFor(int Line, const std::vector<std::string> &Words) {
  std::string Wanted = std::to_string(Words.size()) + '\0';
  for (const std::string &Word : Words)
    Wanted += Word + '\0';
  char *Folder = ::getcwd(nullptr, 0);
  Wanted += std::string(Folder ? Folder : "/") + '\0';
  for (char **Each = environ; *Each; ++Each)
    Wanted += std::string(*Each) + '\0';
  return sendAll(Line, std::to_string(Wanted.size()) + "\n" + Wanted);
}

/// The program's stdin and stdout, which the pool sends.
struct Pipes {
  FILE *Jobs = nullptr, *Answers = nullptr;
};

Pipes pipesFrom(int Line) {
  char Byte;
  iovec Text = {&Byte, 1};
  alignas(cmsghdr) char Room[CMSG_SPACE(2 * sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Text;
  Message.msg_iovlen = 1;
  Message.msg_control = Room;
  Message.msg_controllen = sizeof Room;
  if (::recvmsg(Line, &Message, MSG_CMSG_CLOEXEC) != 1)
    return {};
  const cmsghdr *Sent = CMSG_FIRSTHDR(&Message);
  if (!Sent || Sent->cmsg_len != CMSG_LEN(2 * sizeof(int)))
    return {};
  int Both[2];
  ::memcpy(Both, CMSG_DATA(Sent), sizeof Both);
  return {::fdopen(Both[0], "w"), ::fdopen(Both[1], "r")};
}

/// Reads lines.
class Lines {
  char *Text = nullptr;
  size_t Room = 0;

public:
  /// The next line, with its end, if it has one; empty where there is none any
  /// more.
  std::string next(FILE *From) {
    ssize_t Length = ::getline(&Text, &Room, From);
    return std::string(Text, Length > 0 ? size_t(Length) : 0);
  }
};

void put(FILE *To, std::string_view Text) {
  ::fwrite(Text.data(), 1, Text.size(), To);
  ::fflush(To);
}

/// The line to the pool while no job waits for its answer; else below 0.
volatile sig_atomic_t IdleLine = -1;

/// clrewrite ends its device program with a signal. Where no job waits for its
/// answer, others can use the program all the same.
void onTerm(int Signal) {
  if (IdleLine >= 0)
    ::send(IdleLine, "d", 1, MSG_NOSIGNAL);
  ::_exit(128 + Signal);
}

/// Takes jobs from stdin to the program and its answers to stdout. Returns the
/// exit status.
int serve(int Line) {
  Pipes Program = pipesFrom(Line);
  if (!Program.Jobs || !Program.Answers)
    return 1;
  ::signal(SIGPIPE, SIG_IGN); // A program that has ended reads nothing.
  IdleLine = Line;
  ::signal(SIGTERM, onTerm);
  Lines Reader;
  for (std::string Job; !(Job = Reader.next(stdin)).empty();) {
    if (Job == "\n") // which has no answer
      continue;
    if (Job.back() != '\n')
      Job += '\n';
    IdleLine = -1;
    put(Program.Jobs, Job);
    std::string Answer = Reader.next(Program.Answers);
    if (Answer.empty() || Answer.back() != '\n') {
      put(stdout, Answer);
      char Status[16] = "1";
      if (!sendAll(Line, "e") || ::recv(Line, Status, sizeof Status - 1, 0) < 0)
        return 1;
      int Ended = ::atoi(Status);
      return Ended < 0 ? 128 - Ended : Ended;
    }
    IdleLine = Line;
    put(stdout, Answer);
  }
  ::signal(SIGTERM, SIG_IGN); // It says so once.
  sendAll(Line, "d");
  return 0;
}

} // namespace

int main(int Count, char **Given) {
  // The link that was started, wherever on PATH it was found.
  std::string Real = reinterpret_cast<const char *>(::getauxval(AT_EXECFN));
  Real = Real.substr(0, Real.rfind('/') + 1) + "real-clrewrite-device";
  std::vector<std::string> Words{Real};
  Words.insert(Words.end(), Given + 1, Given + Count);
  int Line = connectTo(poolFor(Words));
  if (Line >= 0)
    return askFor(Line, Words) ? serve(Line) : 1;
  Given[0] = Real.data();
  ::execv(Real.c_str(), Given);
  ::perror(Real.c_str());
  return 127;
}
