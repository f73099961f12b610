// One look at a source, in a child process.
#include "pipeline/Look.h"
#include "frontend/BuildOptions.h"
#include "frontend/GuardedFiles.h"
#include "frontend/Invocation.h"
#include "frontend/Parse.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace llvm;

namespace clrewrite::pipeline {

namespace {

struct Attempt {
  frontend::Diagnosis Diagnosed;
  rewrite::Findings Found;
  std::string Standard;
};

Attempt attempt(Source S, const frontend::Arch &A,
                ArrayRef<const rewrite::Rewrite *> Rewrites,
                const rewrite::Known &What, bool Colour,
                const std::string &Standard) {
  Attempt Out;
  Out.Standard = Standard;
  if (!Standard.empty())
    S.Options.push_back(Standard);
  Out.Diagnosed = frontend::parse(
      S, A, Colour,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &D) {
        Out.Found = rewrite::find(Context, Rewrites, D, What);
      });
  return Out;
}

json::Value packed(const Attempt &A) {
  frontend::Missing Missing = frontend::missingIn(A.Diagnosed);
  return json::Object{{"failed", A.Diagnosed.Errors != 0},
                      {"messages", textOfBytes(A.Diagnosed.Text)},
                      {"errors", json::Array(A.Diagnosed.First)},
                      {"found", rewrite::toJSON(A.Found)},
                      {"standard", A.Standard},
                      {"missing names", json::Array(Missing.Names)},
                      {"missing headers", textsOfBytes(Missing.Headers)},
                      {"switches", json::Array(Missing.Switches)},
                      {"missing half", textOfBytes(Missing.HalfVector)},
                      {"assembly", textsOfBytes(A.Diagnosed.AssemblyInHeaders)},
                      {"headers", textsOfBytes(A.Diagnosed.Headers)}};
}

} // namespace

namespace {

/// The names of the headers that were read, and hashes of what they hold now.
/// None where one can't be read again, such as a device: nobody knows then
/// what a look depends on.
std::optional<std::string> hashed(const std::vector<std::string> &Headers,
                                  const cache::DiskCache &Cache) {
  std::string Out;
  for (const std::string &Name : Headers) {
    std::string Hash = Cache.contentHash(Name);
    if (Hash.empty())
      return std::nullopt;
    Out += Name + '\0' + Hash + '\0';
  }
  return Out;
}

/// What is found in a large file takes more values than what strangers send.
constexpr JsonLimits Messages{64, size_t(256) << 20, size_t(16) << 20};

/// What a child sent, or the cache kept.
bool unpack(StringRef Text, Sight &Out, std::vector<std::string> &Headers) {
  json::Path::Root Root;
  json::Value V = jsonOrNull(Text, Messages);
  json::ObjectMapper O(V, Root);
  return O && O.map("failed", Out.Failed) &&
         mapBytes(O, "messages", Out.Messages) && O.map("errors", Out.Errors) &&
         O.map("found", Out.Found) && O.map("standard", Out.Standard) &&
         O.map("missing names", Out.Missing.Names) &&
         mapBytes(O, "missing headers", Out.Missing.Headers) &&
         O.map("switches", Out.Missing.Switches) &&
         mapBytes(O, "missing half", Out.Missing.HalfVector) &&
         mapBytes(O, "assembly", Out.AssemblyInHeaders) &&
         mapBytes(O, "headers", Headers);
}

cache::CacheKey keyOf(const Source &S, const frontend::Arch &A,
                      ArrayRef<const rewrite::Rewrite *> Rewrites,
                      const rewrite::Known &What) {
  cache::CacheKey Key("look");
  Key.add(S).add(A.Triple).add(A.Cpu).add(What.Shelter);
  Key.add(What.OnlyTheseBuilds ? "these builds" : "any build");
  for (const rewrite::Rewrite *R : Rewrites)
    Key.add(R->Name);
  for (const rewrite::KnownLaunch &L : What.Launches)
    Key.add(formatv("{0}", toJSON(L)).str());
  return Key;
}

/// An entry is the hashed headers, their length before them, and the sight.
/// None where \p S may not read one of the headers any more.
std::optional<Sight> cached(const Source &S, const cache::DiskCache &Cache,
                            const cache::CacheKey &Key) {
  std::optional<std::string> Entry = Cache.get(Key);
  if (!Entry)
    return std::nullopt;
  StringRef Rest = *Entry;
  size_t Length = 0;
  if (Rest.consumeInteger(10, Length) || !Rest.consume_front(" ") ||
      Rest.size() < Length)
    return std::nullopt;
  Sight Out;
  std::vector<std::string> Headers;
  Out.Headers = Rest.take_front(Length).str();
  if (!unpack(Rest.drop_front(Length), Out, Headers))
    return std::nullopt;
  frontend::GuardedFiles Files(S.Path, S.Options, frontend::resourceDir());
  if (!all_of(Headers, // before they are read to be hashed
              [&](const std::string &Each) { return Files.mayRead(Each); }) ||
      hashed(Headers, Cache) != Out.Headers)
    return std::nullopt;
  return Out;
}

Attempt attemptAll(const Source &S, const frontend::Arch &A,
                   ArrayRef<const rewrite::Rewrite *> Rewrites,
                   const rewrite::Known &What, bool Colour) {
  std::vector<std::string> Standards{"-cl-std=CL1.2", "-cl-std=CL3.0",
                                     "-cl-std=CL2.0"};
  if (frontend::hasStandard(S.Options))
    Standards = {""};
  else if (StringRef(S.Path).ends_with(".clcpp")) // as Clang has it
    Standards = {"-cl-std=CLC++"};
  std::optional<Attempt> Best;
  for (const std::string &Standard : Standards) {
    Attempt Next = attempt(S, A, Rewrites, What, Colour, Standard);
    if (!Best || Next.Diagnosed.Errors < Best->Diagnosed.Errors)
      Best = std::move(Next);
    if (Best->Diagnosed.Errors == 0)
      break;
  }
  return std::move(*Best);
}

} // namespace

Sight look(const Source &S, const frontend::Arch &A,
           ArrayRef<const rewrite::Rewrite *> Rewrites, bool Colour,
           const process::ChildLimits &Limits, const cache::DiskCache *Cache) {
  process::Workers Lookers(lookHere, Limits);
  return look(S, A, Rewrites, rewrite::Known(), Colour, Lookers, Cache);
}

/// For lookHere(), in another process.
static std::string question(const Source &S, const frontend::Arch &A,
                            ArrayRef<const rewrite::Rewrite *> Rewrites,
                            const rewrite::Known &What, bool Colour) {
  json::Array Names, Known;
  for (const rewrite::KnownLaunch &L : What.Launches)
    Known.push_back(toJSON(L));
  for (const rewrite::Rewrite *R : Rewrites)
    Names.push_back(R->Name);
  json::Object O{{"source", toJSON(S)},
                 {"triple", A.Triple},
                 {"cpu", A.Cpu},
                 {"flush_denormals", A.FlushDenormals},
                 {"rewrites", std::move(Names)},
                 {"launches", std::move(Known)},
                 {"shelter", What.Shelter},
                 {"only these builds", What.OnlyTheseBuilds},
                 {"colour", Colour}};
  return jsonText(std::move(O));
}

std::string lookHere(StringRef Asked) {
  Source S;
  frontend::Arch A;
  std::vector<std::string> Names;
  std::vector<rewrite::KnownLaunch> Launches;
  std::string Shelter;
  bool Colour = false, OnlyTheseBuilds = false;
  json::Path::Root Root;
  json::Value V = jsonOrNull(Asked, Messages);
  json::ObjectMapper O(V, Root);
  if (!O || !O.map("source", S) || !O.map("triple", A.Triple) ||
      !O.map("cpu", A.Cpu) || !O.map("flush_denormals", A.FlushDenormals) ||
      !O.map("rewrites", Names) || !O.map("launches", Launches) ||
      !O.map("shelter", Shelter) ||
      !O.map("only these builds", OnlyTheseBuilds) || !O.map("colour", Colour))
    return "";
  std::vector<const rewrite::Rewrite *> Rewrites;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    if (is_contained(Names, R->Name))
      Rewrites.push_back(R);
  std::string Text;
  raw_string_ostream(Text) << packed(
      attemptAll(S, A, Rewrites, {Launches, Shelter, OnlyTheseBuilds}, Colour));
  return Text;
}

Sight look(const Source &S, const frontend::Arch &A,
           ArrayRef<const rewrite::Rewrite *> Rewrites,
           const rewrite::Known &What, bool Colour, process::Workers &Lookers,
           const cache::DiskCache *Cache) {
  cache::CacheKey Key = keyOf(S, A, Rewrites, What);
  if (Cache)
    if (std::optional<Sight> Known = cached(S, *Cache, Key))
      return std::move(*Known);
  process::ChildResult Result =
      Lookers.run(question(S, A, Rewrites, What, Colour)).front();
  Sight Out;
  std::vector<std::string> Headers;
  auto Fail = [&](const std::string &Why) {
    Out.Failed = true;
    Out.Messages = S.Path + ": error: the front end " + Why + "\n";
    Out.Errors = {{"", 0, 0, "the front end " + Why}};
  };
  if (Result.Status != process::ChildResult::Done)
    Fail(Result.Problem);
  else if (!unpack(Result.Output, Out, Headers))
    Fail("sent no result");
  else if (Cache && !Out.Failed) {
    if (auto Hashed = hashed(Headers, *Cache)) {
      Out.Headers = std::move(*Hashed);
      Cache->put(Key, utostr(Out.Headers.size()) + " " + Out.Headers +
                          Result.Output);
    } else { // what is measured must not be found again either
      auto Now = std::chrono::system_clock::now().time_since_epoch();
      Out.Headers = "unknown at " + itostr(Now.count());
    }
  }
  return Out;
}

} // namespace clrewrite::pipeline
