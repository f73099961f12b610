// The programs of a capture, the files that they come from, and their launches.
#include "pipeline/Captured.h"
#include "frontend/BuildOptions.h"
#include "frontend/IncludeFolders.h"
#include "opencl/Contents.h"
#include "pipeline/Diff.h"
#include "pipeline/SourceTree.h"
#include "source/AddOnce.h"
#include "source/Options.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {

namespace {

/// More than this is not sent to the device program as text.
constexpr uint64_t MostData = 256 << 20;

const char *accessOf(const capture::CapturedArgument &A) {
  return A.hasFlag("read_only") ? "r" : A.hasFlag("write_only") ? "w" : "rw";
}

/// Why the memory of \p A can't be told apart from that of arguments before.
Error checkMemory(const capture::CapturedLaunch &L, size_t Index) {
  const capture::CapturedArgument &A = L.Arguments[Index];
  auto Fail = [&](const char *Why) {
    return createStringError("argument " + Twine(Index) + " " + Why);
  };
  if (!A.Size)
    return Fail("is SVM memory of unknown size");
  if (A.Kind == capture::CapturedArgument::Svm && A.Offset)
    return Fail("points into an SVM allocation");
  for (size_t I = 0; I < Index; ++I) {
    const capture::CapturedArgument &B = L.Arguments[I];
    if (!B.isMemory() || B.Mem == A.Mem)
      continue;
    bool Whole =
        (A.Parent && A.Parent == B.Mem) || (B.Parent && B.Parent == A.Mem);
    bool Parts = A.Parent && A.Parent == B.Parent &&
                 A.Offset < B.Offset + *B.Size && B.Offset < A.Offset + *A.Size;
    if (Whole || Parts)
      return Fail("overlaps another sub-buffer");
  }
  return Error::success();
}

json::Object image(const capture::CapturedArgument &A) {
  json::Object I{{"type", A.ImageType},
                 {"channel_order", A.ChannelOrder},
                 {"channel_type", A.ChannelType}};
  std::pair<const char *, std::optional<uint64_t>> Sizes[] = {
      {"width", A.Width},
      {"height", A.Height},
      {"depth", A.Depth},
      {"layers", A.Layers}};
  for (auto &[Name, Value] : Sizes)
    if (Value)
      I[Name] = *Value;
  return I;
}

/// One argument without data.
Expected<json::Value> argument(const capture::CapturedLaunch &L, size_t Index) {
  const capture::CapturedArgument &A = L.Arguments[Index];
  if (A.isMemory()) {
    if (Error E = checkMemory(L, Index))
      return std::move(E);
    for (size_t I = 0; I < Index; ++I)
      if (L.Arguments[I].isMemory() && L.Arguments[I].Mem == A.Mem)
        return json::Object{{"alias", int64_t(I)}};
  }
  switch (A.Kind) {
  case capture::CapturedArgument::Buffer:
  case capture::CapturedArgument::SubBuffer:
  case capture::CapturedArgument::Svm:
    return json::Object{{"buffer", json::Object{{"bytes", *A.Size}}},
                        {"access", accessOf(A)}};
  case capture::CapturedArgument::Image:
    return json::Object{{"image", image(A)}, {"access", accessOf(A)}};
  case capture::CapturedArgument::Sampler:
    return json::Object{{"sampler", json::Object{{"normalized", A.Normalized},
                                                 {"address", A.Address},
                                                 {"filter", A.Filter}}}};
  case capture::CapturedArgument::Local:
    return json::Object{{"local", A.Size.value_or(0)}};
  case capture::CapturedArgument::Bytes:
    return json::Object{{"bytes", encodeBase64(A.Value)}};
  case capture::CapturedArgument::Null:
    return json::Object{{"buffer", nullptr}};
  case capture::CapturedArgument::Other:
  case capture::CapturedArgument::Unset:
    break;
  }
  return createStringError("argument " + Twine(Index) +
                           " is of a sort that can't be repeated");
}

/// What argument \p Index held before the first recorded launch; empty where
/// nobody knows.
capture::BlobHash dataOf(const capture::CapturedLaunch &L, size_t Index) {
  for (const capture::CapturedData &D : L.Data)
    if (D.Sample == 0 && D.Argument == unsigned(Index) && !D.Before.empty())
      return D.Before;
  return "";
}

/// The byte that \p Bytes hold throughout, as many do that only a kernel
/// writes.
std::optional<uint8_t> onlyByteOf(StringRef Bytes) {
  if (Bytes.empty() || Bytes.find_first_not_of(Bytes[0]) != StringRef::npos)
    return std::nullopt;
  return uint8_t(Bytes[0]);
}

/// \p Arguments with \p Blobs, by argument, of the capture in \p Folder; where
/// some are missing, or are too many, the error says so.
Expected<json::Array> withData(const std::string &Folder,
                               ArrayRef<capture::BlobHash> Blobs,
                               const json::Array &Arguments) {
  json::Array Out = Arguments;
  uint64_t Bytes = 0;
  for (size_t I = 0; I < Out.size(); ++I) {
    json::Object *O = Out[I].getAsObject();
    json::Object *Memory = O->getObject("buffer");
    if (!Memory)
      Memory = O->getObject("image");
    if (!Memory)
      continue;
    const capture::BlobHash &Name = Blobs[I];
    if (Name.empty())
      return createStringError(
          "the data of argument " + Twine(I) +
          " was not recorded (clrewrite capture --data=N records that of the "
          "first N launches that differ in scalars alone)");
    Expected<std::string> Blob = capture::blobIn(Folder, Name);
    if (!Blob)
      return Blob.takeError();
    std::optional<uint8_t> Only = onlyByteOf(*Blob);
    Bytes += Only ? 0 : Blob->size();
    if (Bytes > MostData)
      return createStringError("the data of the launch's buffers is more than "
                               "the " +
                               Twine(MostData >> 20) +
                               " MiB that are given to the device program");
    (*Memory)["fill"] =
        Only ? "byte:" + utostr(*Only) : opencl::fillBy(Name, [Folder, Name] {
          return capture::blobIn(Folder, Name);
        });
  }
  return Out;
}

} // namespace

Expected<RecordedLaunch> recordedLaunch(const capture::Capture &C,
                                        const capture::CapturedLaunch &L) {
  if (L.Other)
    return createStringError("its shape was not recorded");
  if (!L.SvmPointers.empty())
    return createStringError("it reaches SVM memory through pointers in data");
  RecordedLaunch Out;
  Out.Kernel = C.Kernels[L.Kernel].Name;
  Out.Global = L.Global;
  Out.Local = L.Local;
  Out.Offset = L.Offset;
  Out.TotalNs = L.totalNs().value_or(0);
  Out.Recorded.emplace();
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    Expected<json::Value> A = argument(L, I);
    if (!A)
      return A.takeError();
    Out.Recorded->push_back(std::move(*A));
  }
  std::vector<capture::BlobHash> Blobs;
  for (size_t I = 0; I < L.Arguments.size(); ++I)
    Blobs.push_back(dataOf(L, I));
  Out.Data = [Folder = C.Folder, Blobs = std::move(Blobs),
              Arguments = *Out.Recorded] {
    return withData(Folder, Blobs, Arguments);
  };
  return std::move(Out);
}

namespace {

class Programs {
public:
  Programs(const capture::Capture &C, StringRef Root,
           std::vector<std::string> &Notes)
      : C(C), Root(Root), Notes(Notes) {}

  Expected<std::vector<BuiltProgram>> all() {
    for (size_t B = 0; B < C.Builds.size(); ++B)
      if (Error E = add(B))
        return std::move(E);
    return std::move(List);
  }

private:
  const capture::Capture &C;
  StringRef Root;
  std::vector<std::string> &Notes;
  std::vector<BuiltProgram> List;
  std::map<std::string, size_t> Known; // by text, options and headers

  void note(std::string Text) {
    if (!is_contained(Notes, Text))
      Notes.push_back(std::move(Text));
  }

  static bool succeeded(const capture::CapturedBuild &B) {
    return B.Code == 0 || any_of(B.Results, [](const auto &R) {
             return R.Status == "success";
           });
  }

  Error add(size_t Index) {
    const capture::CapturedBuild &B = C.Builds[Index];
    if (!B.Program || B.Step == capture::CapturedBuild::Link || !succeeded(B))
      return Error::success();
    const capture::CapturedProgram &P = C.Programs[*B.Program];
    if (P.Kind != capture::CapturedProgram::Source)
      return Error::success();
    Expected<std::string> Text = C.text(P);
    if (!Text) {
      note("program " + P.Hash.substr(0, 8) + ": " +
           toString(Text.takeError()));
      return Error::success();
    }
    if (capture::blobHash(*Text) != P.Hash) {
      note("program " + P.Hash.substr(0, 8) +
           ": its text is not that of its name; capture the program again");
      return Error::success();
    }
    std::string Key = P.Hash + '\0' + B.Options;
    for (const capture::CapturedBuild::Header &H : B.Headers)
      Key += '\0' + H.Name + '\0' + C.Programs[H.Program].Hash;
    auto [It, New] = Known.insert({Key, List.size()});
    if (New) {
      Expected<Build> How = build(B, P, Index);
      if (!How) {
        note("program " + P.Hash.substr(0, 8) + ": " +
             toString(How.takeError()));
        Known.erase(It);
        return Error::success();
      }
      List.push_back({P.Hash, std::move(*Text), std::move(*How)});
    }
    addLaunches(Index, List[It->second]);
    return Error::success();
  }

  Expected<Build> build(const capture::CapturedBuild &B,
                        const capture::CapturedProgram &P, size_t Index) {
    Build Out;
    Expected<std::vector<std::string>> Words = optionWords(
        C, B, P, C.pathOf("sources/headers-" + utostr(Index)), Root, Notes);
    if (!Words)
      return Words.takeError();
    Expected<std::vector<std::string>> Parsed =
        frontend::parseBuildOptions(*Words);
    if (!Parsed)
      return Parsed.takeError();
    Out.Name = B.Options;
    Out.Options = std::move(*Parsed);
    Out.DeviceOptions = joinOptions(*Words);
    Out.Recorded.emplace();
    return std::move(Out);
  }

  /// Kernels of a linked program are its parts'.
  bool comesFrom(const capture::CapturedKernel &K, size_t Index) const {
    if (!K.Build)
      return K.Program == C.Builds[Index].Program;
    return *K.Build == Index ||
           any_of(C.Builds[*K.Build].Inputs,
                  [&](const capture::CapturedBuild::Input &I) {
                    return I.Build == Index;
                  });
  }

  void addLaunches(size_t Index, BuiltProgram &P) {
    for (const capture::CapturedLaunch &L : C.Launches) {
      const capture::CapturedKernel &K = C.Kernels[L.Kernel];
      if (!comesFrom(K, Index))
        continue;
      P.Ns += L.totalNs().value_or(0);
      if (L.Other) {
        note("kernel " + K.Name +
             " was launched in more shapes than are "
             "recorded; the others are only counted");
        continue;
      }
      Expected<RecordedLaunch> R = recordedLaunch(C, L);
      if (R) {
        P.How.Recorded->push_back(std::move(*R));
        P.Launches.push_back(&L);
      } else
        note("a launch of kernel " + K.Name +
             " can't be repeated: " + toString(R.takeError()));
    }
  }
};

/// The text that \p P has now, and its pieces: where the files hold what an
/// earlier run made of it, that, noted in \p Out.
std::vector<Piece> piecesNow(const capture::Capture &C, BuiltProgram &P,
                             ArrayRef<PlacedText> Known, CapturedUnits &Out) {
  // How many bytes stand in no file.
  auto hostMade = [](StringRef Text, ArrayRef<Piece> List) {
    size_t Left = Text.size();
    for (const Piece &Each : List)
      Left -= Each.End - Each.Begin;
    return Left;
  };
  std::vector<std::string> Notes, NotesNow;
  std::vector<Piece> Own = piecesOf(P.Text, Known, Notes);
  std::string Rewritten = C.rewritten(P.Hash).value_or("");
  std::vector<Piece> Now = piecesOf(Rewritten, Known, NotesNow);
  if (!Now.empty() && hostMade(Rewritten, Now) < hostMade(P.Text, Own)) {
    P.Text = Rewritten;
    Out.Rewritten[P.Hash] = std::move(Rewritten);
    Own = std::move(Now);
    Notes = std::move(NotesNow);
  }
  addOnce(Out.Notes, Notes);
  return Own;
}

/// Builds that differ in nothing that the front end sees are one.
void addBuild(Unit &U, Build B) {
  for (Build &Old : U.Builds)
    if (Old.Options == B.Options && Old.Before == B.Before &&
        Old.After == B.After) {
      llvm::append_range(*Old.Recorded, *B.Recorded);
      return;
    }
  U.Builds.push_back(std::move(B));
}

/// Names that tell the builds of a unit apart.
void nameBuilds(Unit &U) {
  constexpr size_t Longest = 40;
  std::map<std::string, unsigned> Count;
  for (Build &B : U.Builds) {
    if (B.Name.size() > Longest)
      B.Name = B.Name.substr(0, Longest - 3) + "...";
    if (B.Name.empty())
      B.Name = "no options";
    if (unsigned N = ++Count[B.Name]; N > 1)
      B.Name += " #" + utostr(N);
  }
  if (U.Builds.size() == 1)
    U.Builds.front().Name.clear();
}

} // namespace

Expected<std::vector<std::string>>
optionWords(const capture::Capture &C, const capture::CapturedBuild &B,
            const capture::CapturedProgram &P, StringRef Headers,
            StringRef Root, std::vector<std::string> &Notes) {
  const std::string &Directory = C.Processes[P.Process].Directory;
  std::vector<std::string> LeftOut,
      Words = frontend::withIncludeFolders(
          frontend::splitBuildOptions(B.Options), [&](StringRef Path) {
            if (sys::path::is_absolute(Path))
              return Path.str();
            SmallString<256> Out(Directory);
            sys::path::append(Out, Path);
            return Out.str().str();
          });
  // Drivers look where the program runs.
  if (!Directory.empty())
    Words.insert(Words.end(), {"-I", Directory});
  // A program may include a file by its whole name, as the host's options say
  // it. What it may read is what lies in an include folder.
  Words.insert(Words.end(), {"-I", "/usr", "-I", "/opt"});
  Words = frontend::withoutForeignFolders(
      Words, {treeOf(C.Folder), treeOf(Root)}, LeftOut);
  for (const std::string &Folder : LeftOut) {
    std::string Note = "-I " + Folder + " of the capture lies outside of " +
                       C.Folder + " and of " + Root.str() +
                       " and is left out; name it in CLREWRITE_READABLE where "
                       "the program is meant to have it";
    if (!is_contained(Notes, Note))
      Notes.push_back(std::move(Note));
  }
  if (!B.Headers.empty()) {
    if (Error E = C.layHeaders(B, Headers))
      return std::move(E);
    SmallString<256> Folder(Headers);
    sys::fs::make_absolute(Folder);
    Words.insert(Words.begin(), {"-I", Folder.str().str()});
  }
  return Words;
}

Expected<std::vector<BuiltProgram>>
builtPrograms(const capture::Capture &C, StringRef Root,
              std::vector<std::string> &Notes) {
  return Programs(C, Root, Notes).all();
}

Expected<CapturedUnits> unitsOf(const capture::Capture &C, StringRef Root) {
  CapturedUnits Out;
  Expected<std::vector<BuiltProgram>> List = builtPrograms(C, Root, Out.Notes);
  if (!List)
    return List.takeError();
  std::vector<PlacedText> Known = textsUnder(Root, C.Folder);
  const std::string Walked = realPath(Root);
  std::map<std::pair<std::string, size_t>, size_t> ByPlace;
  std::vector<double> Ns;
  double All = 0;
  auto unitAt = [&](std::string Path, std::optional<Part> Within) -> Unit & {
    auto [It, New] =
        ByPlace.insert({{Path, Within ? Within->Begin : 0}, Out.Units.size()});
    if (New) {
      Out.Units.push_back({std::move(Path), std::move(Within), {}});
      Ns.push_back(0);
    }
    return Out.Units[It->second];
  };
  for (BuiltProgram &P : *List) {
    Out.Programs.push_back(P.Hash);
    P.How.Program = Out.Programs.size();
    All += P.Ns;
    for (const RecordedLaunch &L : *P.How.Recorded)
      Out.KernelShares[L.Kernel] += L.TotalNs;
    std::vector<Piece> Pieces = piecesNow(C, P, Known, Out);
    if (Pieces.empty()) {
      std::string Path = C.pathOf("sources/" + P.Hash + ".cl");
      if (Error E = C.put("sources/" + P.Hash + ".cl", P.Text))
        return std::move(E);
      Unit &U = unitAt(Path, std::nullopt);
      U.HostMade = true;
      U.Folder = realPath(C.Folder);
      addBuild(U, P.How);
      Ns[size_t(&U - Out.Units.data())] += P.Ns;
    }
    for (const Piece &At : Pieces) {
      Unit &U = unitAt(At.Place->Path, At.Place->Within);
      U.Folder = Walked;
      Build B = P.How;
      B.Before = P.Text.substr(0, At.Begin);
      B.After = P.Text.substr(At.End);
      addBuild(U, std::move(B));
      Ns[size_t(&U - Out.Units.data())] += P.Ns;
    }
  }
  for (Unit &U : Out.Units)
    nameBuilds(U);
  std::vector<size_t> Order;
  for (size_t I = 0; I < Out.Units.size(); ++I)
    Order.push_back(I);
  llvm::stable_sort(Order, [&](size_t A, size_t B) { return Ns[A] > Ns[B]; });
  std::vector<Unit> Sorted;
  for (size_t I : Order)
    Sorted.push_back(std::move(Out.Units[I]));
  Out.Units = std::move(Sorted);
  for (auto &[Kernel, Share] : Out.KernelShares)
    Share = All > 0 ? Share / All : 0;
  return std::move(Out);
}

bool changesLaunches(const report::FileReport &F) {
  return any_of(F.Result.Outcomes,
                [](const select::Outcome &O) { return O.Applied && O.Launch; });
}

std::map<capture::BlobHash, std::string>
rewrittenTexts(const CapturedUnits &Found, const report::Report &R) {
  // Each unit's surroundings hold what the others became.
  std::map<capture::BlobHash, std::string> Texts = Found.Rewritten;
  for (size_t I = 0; I < Found.Units.size(); ++I)
    if (R.Files[I].Problem.empty() && R.Files[I].Result.changed())
      for (const Build &B : Found.Units[I].Builds)
        Texts[Found.Programs[B.Program - 1]] =
            B.Before + R.Files[I].Result.Result.Text + B.After;
  return Texts;
}

/// The programs with an edit that changes how they must be launched.
static std::set<capture::BlobHash> relaunched(const CapturedUnits &Found,
                                              const report::Report &R) {
  std::set<capture::BlobHash> Out;
  for (size_t I = 0; I < Found.Units.size(); ++I)
    if (R.Files[I].Problem.empty() && changesLaunches(R.Files[I]))
      for (const Build &B : Found.Units[I].Builds)
        Out.insert(Found.Programs[B.Program - 1]);
  return Out;
}

Expected<std::vector<std::string>> writeRewritten(const capture::Capture &C,
                                                  const CapturedUnits &Found,
                                                  const report::Report &R) {
  if (Error E = C.remove("rewritten"))
    return std::move(E);
  std::set<capture::BlobHash> Relaunched = relaunched(Found, R);
  std::vector<std::string> Out;
  for (const auto &[Hash, Text] : rewrittenTexts(Found, R)) {
    std::string Name = "rewritten/" + Hash;
    if (!Relaunched.count(Hash)) {
      if (Error E = C.put(Name + ".cl", Text))
        return std::move(E);
      Out.push_back(C.pathOf(Name + ".cl"));
    }
    for (const capture::CapturedProgram &P : C.Programs) {
      if (P.Hash != Hash || P.Kind != capture::CapturedProgram::Source)
        continue;
      Expected<std::string> Old = C.text(P);
      if (!Old)
        return Old.takeError();
      Expected<std::string> Diff = unifiedDiff(Hash + ".cl", *Old, Text);
      if (!Diff)
        return Diff.takeError();
      if (Error E = C.put(Name + ".patch", *Diff))
        return std::move(E);
      break;
    }
  }
  return std::move(Out);
}

} // namespace clrewrite::pipeline
