// The files of the capture folder are opened, and written to within the bound
// on its size.
#include "Folder.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clrewrite::layer {

uint64_t nowNs() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000u + uint64_t(T.tv_nsec);
}

void Counts::addTime(uint64_t Ns, unsigned Weight) {
  auto Relaxed = std::memory_order_relaxed;
  // 0 in MinNs means that there is none yet, so a time of 0 is kept as 1.
  uint64_t Shortest = Ns ? Ns : 1, Old = MinNs.load(Relaxed);
  while ((Old == 0 || Shortest < Old) &&
         !MinNs.compare_exchange_weak(Old, Shortest, Relaxed))
    ;
  Old = MaxNs.load(Relaxed);
  while (Ns > Old && !MaxNs.compare_exchange_weak(Old, Ns, Relaxed))
    ;
  Nanoseconds.fetch_add(Ns, Relaxed);
  WeightedNs.fetch_add(Ns * Weight, Relaxed);
  Weights.fetch_add(Weight, Relaxed);
  Timed.fetch_add(1, Relaxed);
}

std::string blobHash(std::string_view Bytes) {
  XXH128_hash_t H = XXH3_128bits(Bytes.data(), Bytes.size());
  char Text[33];
  snprintf(Text, sizeof Text, "%016llx%016llx", (unsigned long long)H.high64,
           (unsigned long long)H.low64);
  return Text;
}

/// The words of this process's command line.
static std::vector<std::string> commandLine() {
  std::vector<std::string> Words;
  FILE *F = fopen("/proc/self/cmdline", "r");
  if (!F)
    return Words;
  std::string Word;
  for (int C; (C = fgetc(F)) != EOF;) {
    if (C)
      Word += char(C);
    else
      Words.push_back(std::move(Word)), Word.clear();
  }
  fclose(F);
  return Words;
}

static std::string timeOfDay() {
  time_t Now = time(nullptr);
  tm Parts;
  gmtime_r(&Now, &Parts);
  char Text[32];
  strftime(Text, sizeof Text, "%Y-%m-%dT%H:%M:%SZ", &Parts);
  return Text;
}

static std::string workingDirectory() {
  char *Path = getcwd(nullptr, 0);
  std::string Text = Path ? Path : "";
  free(Path);
  return Text;
}

std::unique_ptr<Folder> Folder::open(const Settings &S, std::string &Why) {
  std::unique_ptr<Folder> F(new Folder(S));
  if (F->Config.Path[0] != '/')
    F->Config.Path = workingDirectory() + "/" + F->Config.Path;
  if (!F->openFiles(Why))
    return nullptr;
  F->StartNs = nowNs();
  F->write(std::move(Line("start")
                         .number("version", 1)
                         .text("layer", CLREWRITE_VERSION)
                         .number("pid", uint64_t(getpid()))
                         .texts("command", commandLine())
                         .text("directory", workingDirectory())
                         .text("started", timeOfDay())
                         .number("data", S.DataSamples)
                         .number("max_bytes", S.MaxBytes)));
  return F;
}

/// By how much the counts file grows.
static constexpr uint64_t CountsPage = 4096;

bool Folder::openFiles(std::string &Why) {
  const std::string &Path = Config.Path;
  auto fails = [&](const std::string &What) {
    Why = What + ": " + strerror(errno);
    return false;
  };
  for (const std::string &Each : {Path, Path + "/blobs"})
    if (mkdir(Each.c_str(), 0777) && errno != EEXIST)
      return fails(Each);
  int UsedFile =
      ::open((Path + "/used.bin").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (UsedFile < 0 || posix_fallocate(UsedFile, 0, sizeof(uint64_t)))
    return fails(Path + "/used.bin");
  void *Memory = mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE,
                      MAP_SHARED, UsedFile, 0);
  close(UsedFile);
  if (Memory == MAP_FAILED)
    return fails(Path + "/used.bin");
  Used = static_cast<std::atomic<uint64_t> *>(Memory);

  // A number that an earlier process had gets a suffix.
  std::string Name = std::to_string(getpid());
  for (unsigned Suffix = 1; Events < 0; ++Suffix) {
    Events = ::open((Path + "/events-" + Name + ".jsonl").c_str(),
                    O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (Events >= 0)
      break;
    if (errno != EEXIST)
      return fails(Path);
    Name = std::to_string(getpid()) + "." + std::to_string(Suffix);
  }
  CountsFile = ::open((Path + "/counts-" + Name + ".bin").c_str(),
                      O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (CountsFile < 0)
    return fails(Path);
  // The file grows within the mapping as launches come.
  Memory = mmap(nullptr, (MaxLaunches + 1) * sizeof(Counts),
                PROT_READ | PROT_WRITE, MAP_SHARED, CountsFile, 0);
  if (Memory == MAP_FAILED)
    return fails(Path);
  Mapped = static_cast<char *>(Memory);
  static const char Header[sizeof(Counts)] = "clrewrite counts 1";
  if (pwrite(CountsFile, Header, sizeof Header, 0) != sizeof Header)
    return fails(Path);
  if (posix_fallocate(CountsFile, 0, CountsPage))
    return fails(Path);
  CountsSize = CountsPage;
  return true;
}

bool Folder::take(uint64_t Bytes, uint64_t Limit) {
  uint64_t Old = Used->load(std::memory_order_relaxed);
  do {
    if (Bytes > Limit || Old > Limit - Bytes)
      return false;
  } while (!Used->compare_exchange_weak(Old, Old + Bytes));
  return true;
}

/// What a note of a drop may take beyond the bound, so that it can be made.
static constexpr uint64_t RoomForDrops = 64 * 1024;

bool Folder::append(const std::string &Text) {
  if (Broken)
    return false;
  ssize_t Done = ::write(Events, Text.data(), Text.size());
  if (Done == ssize_t(Text.size()))
    return true;
  // A full disk: whatever came after a cut line would be lost with it.
  Broken = true;
  return false;
}

bool Folder::write(Line L) {
  std::string Text = L.take();
  if (take(Text.size(), Config.MaxBytes))
    return append(Text);
  drop("log", "the folder's bound is reached");
  return false;
}

void Folder::drop(std::string_view What, std::string_view Why,
                  uint64_t Launch) {
  std::string Key =
      std::string(What) + '\n' + std::string(Why) + std::to_string(Launch);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (!Drops.insert(std::move(Key)).second)
      return;
  }
  std::string Text = std::move(Line("dropped")
                                   .text("what", What)
                                   .text("why", Why)
                                   .id("launch", Launch))
                         .take();
  if (take(Text.size(), Config.MaxBytes + RoomForDrops))
    append(Text);
}

Folder::Kept Folder::keep(std::string_view Bytes, bool IsData) {
  std::string Hash = blobHash(Bytes);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Blobs.count(Hash))
      return {Hash, true};
  }
  auto stored = [&] {
    std::lock_guard<std::mutex> Guard(Lock);
    Blobs.insert(Hash);
    return Kept{Hash, true};
  };
  std::string Path = Config.Path + "/blobs/" + Hash;
  if (access(Path.c_str(), F_OK) == 0)
    return stored();
  uint64_t Limit = Config.MaxBytes - (IsData ? Config.MaxBytes / 16 : 0);
  if (!take(Bytes.size(), Limit))
    return {Hash, false};
  std::string Temporary = Config.Path + "/blobs/." + std::to_string(getpid()) +
                          "-" + std::to_string(NextTemporary++);
  int File =
      ::open(Temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool Good = File >= 0;
  for (size_t Done = 0; Good && Done < Bytes.size();) {
    ssize_t N = ::write(File, Bytes.data() + Done, Bytes.size() - Done);
    Good = N > 0;
    Done += Good ? size_t(N) : 0;
  }
  if (File >= 0)
    close(File);
  if (Good && rename(Temporary.c_str(), Path.c_str()) == 0)
    return stored();
  unlink(Temporary.c_str());
  Used->fetch_sub(Bytes.size());
  return {Hash, false};
}

Counts *Folder::counts(uint64_t Id) {
  if (Id > MaxLaunches)
    return nullptr;
  std::lock_guard<std::mutex> Guard(Lock);
  uint64_t Needed = (Id + 1) * sizeof(Counts);
  if (Needed > CountsSize) {
    // By pages: a file system takes long to make a file longer. Not ftruncate:
    // a page that a full disk can't back would kill the program.
    // Ids of shapes that had no room meanwhile may lie between.
    uint64_t Pages = (Needed + CountsPage - 1) / CountsPage;
    uint64_t Missing = Pages * CountsPage - CountsSize;
    if (posix_fallocate(CountsFile, off_t(CountsSize), off_t(Missing)))
      return nullptr;
    CountsSize += Missing;
  }
  return reinterpret_cast<Counts *>(Mapped + Id * sizeof(Counts));
}

void Folder::end() {
  append(std::move(Line("end").number("ns", nowNs() - StartNs)).take());
}

} // namespace clrewrite::layer
