// Edits that are legal in a file, whether they pay or not: of each site up to
// three alternatives, each applied alone, and others upon some of them. Edits
// of different kernels do not meet, so that one new text holds one edit of each
// kernel.
//
// usage: each-edit FILE.cl FOLDER SEED TEXTS [SHELTER [REWRITE...]]
//
// Of the texts with one edit of each kernel TEXTS are made, by chance; all for 0.
// Writes FOLDER/N.cl and prints a line of JSON for each: {"text": N, "class":
// CLASS, "edits": [{"kernel", "rewrite", "label", "line", "launch", "upon",
// "proved", "why", "suspects"}], "problem"}. The problem says why the text does
// not parse, or why an edit could not be applied; "upon" names the edit of the
// kernel that was made before; the proof is that of the kernel against FILE.cl,
// and "suspects" is in how many launches the versions may part. With "declined"
// it prints how often each rewrite declined a site. SHELTER is a macro that the
// compilers of some GPUs define; empty for none. Rewrites that are named are
// the only ones. Ends with 1 where FILE.cl does not parse.
#include "pipeline/Look.h"
#include "pipeline/Proving.h"
#include "process/Heap.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <random>

using namespace llvm;
using namespace clrewrite;

namespace {

/// An alternative of a site, for its kernel.
struct Choice {
  std::string Kernel, Rewrite, Upon;
  unsigned Line;
  rewrite::Alternative Made;
};

/// A text to be compared with the one before, by what was done to its kernels.
struct NewText {
  std::string Class;
  std::vector<Choice> Done;
  Edits All;
};

/// Alternatives of one group may stand in one text: it is compared in one way.
std::string groupOf(const rewrite::Alternative &A) {
  if (A.Class == rewrite::Safety::Contract)
    return A.Launch ? "launch" : "contract";
  if (StringRef(A.Note).contains("multiple")) // an alignment, which a
    return "aligned";                         // buffer may not have
  return name(A.Class).str();
}

/// Limits, fences, guards and hints compute nothing.
bool isHint(const rewrite::Candidate &C) {
  return C.AmdOnly || C.Rewrite == "opaque-guard" ||
         C.Rewrite == "limit-unroll";
}

/// Of each site at most three alternatives, by chance; of hints, of which there
/// are many and which are much alike, one for every fourth site.
std::vector<Choice> choicesIn(const rewrite::Findings &Found,
                              std::mt19937 &Random) {
  std::vector<Choice> Out;
  for (const rewrite::Candidate &C : Found.Candidates) {
    if (C.Kernels.empty() || (isHint(C) && Random() % 4))
      continue;
    std::vector<rewrite::Alternative> Some;
    std::sample(C.Alternatives.begin(), C.Alternatives.end(),
                std::back_inserter(Some), isHint(C) ? 1 : 3, Random);
    for (const rewrite::Alternative &A : Some)
      Out.push_back({C.Kernels.front(), C.Rewrite, "", C.Line, A});
  }
  return Out;
}

bool meets(const NewText &In, const Choice &C) {
  return any_of(In.Done,
                [&](const Choice &D) { return D.Kernel == C.Kernel; }) ||
         overlap(In.All, C.Made.Changes);
}

void add(NewText &To, const Choice &C) {
  To.Done.push_back(C);
  append_range(To.All, C.Made.Changes);
}

/// As few texts as may be, each with one edit of a kernel.
std::vector<NewText> packed(ArrayRef<Choice> Choices) {
  std::vector<NewText> Out;
  for (const Choice &C : Choices) {
    const std::string Class = groupOf(C.Made);
    auto Free = find_if(Out, [&](const NewText &T) {
      return T.Class == Class && !meets(T, C);
    });
    if (Free == Out.end())
      Free = Out.insert(Out.end(), NewText{Class, {}, {}});
    add(*Free, C);
  }
  return Out;
}

/// One exact alternative of each kernel, by chance.
NewText upon(const NewText &Before, const rewrite::Findings &Found,
             std::mt19937 &Random) {
  std::vector<Choice> Choices = choicesIn(Found, Random);
  llvm::shuffle(Choices.begin(), Choices.end(), Random);
  NewText Out{Before.Class, {}, {}};
  for (Choice &C : Choices)
    if (C.Made.Class == rewrite::Safety::Exact && !meets(Out, C)) {
      for (const Choice &D : Before.Done)
        if (D.Kernel == C.Kernel)
          C.Upon = D.Rewrite + " [" + D.Made.Label + "]";
      add(Out, C);
    }
  return Out;
}

class EachEdit {
  const Source Given;
  const std::string Folder, Shelter;
  std::vector<const rewrite::Rewrite *> Rewrites;
  std::string Standard; ///< that Given parses with
  std::mt19937 Random;
  unsigned Count = 0;
  const frontend::Arch Arch{"amdgcn-amd-amdhsa", "gfx906"};
  process::Workers Lookers{pipeline::lookHere, {}};

  pipeline::Sight look(const Source &S) {
    return pipeline::look(S, Arch, Rewrites, {{}, Shelter}, false, Lookers,
                          nullptr);
  }

  /// Tells of \p T, which makes \p New, if its edits can be applied.
  void tell(const NewText &T, const std::string &Problem, const Source *New) {
    json::Array Done;
    for (const Choice &C : T.Done) {
      verify::VerifyOptions How;
      How.MayOverlap = T.Class == "exact";
      if (C.Made.Launch)
        How.Change = *C.Made.Launch;
      prove::Proof P;
      if (New && Problem.empty() &&
          (T.Class == "exact" || T.Class == "assumes"))
        P = pipeline::prove(Given, *New, Standard, C.Kernel, How);
      Done.push_back(
          json::Object{{"kernel", C.Kernel},
                       {"rewrite", C.Rewrite},
                       {"label", C.Made.Label},
                       {"line", C.Line},
                       {"launch", C.Made.Launch ? C.Made.Launch->text() : ""},
                       {"upon", C.Upon},
                       {"proved", P.Proved},
                       {"why", P.Why},
                       {"suspects", int64_t(P.Suspects.size())}});
    }
    outs() << json::Value(json::Object{{"text", Count},
                                       {"class", T.Class},
                                       {"edits", std::move(Done)},
                                       {"problem", Problem}})
           << "\n";
  }

  /// Writes the text, and what chance makes of it, up to \p Deeper edits more.
  void make(const Source &Of, const NewText &T, unsigned Deeper) {
    Expected<Source> New = applyEdits(Of, T.All);
    if (!New)
      return tell(T, toString(New.takeError()), nullptr);
    std::error_code Failed;
    raw_fd_ostream(Folder + "/" + std::to_string(Count) + ".cl", Failed)
        << New->Text;
    pipeline::Sight Seen = look(*New);
    tell(T,
         Failed        ? Failed.message()
         : Seen.Failed ? Seen.Messages
                       : "",
         &*New);
    ++Count;
    if (Seen.Failed || !Deeper || T.Class != "exact")
      return;
    if (NewText Next = upon(T, Seen.Found, Random); !Next.Done.empty())
      make(*New, Next, Deeper - 1);
  }

public:
  EachEdit(Source Given, StringRef Folder, unsigned Seed, StringRef Shelter,
           ArrayRef<char *> Names)
      : Given(std::move(Given)), Folder(Folder), Shelter(Shelter),
        Random(Seed) {
    for (const rewrite::Rewrite *R : rewrite::allRewrites())
      if (Names.empty() || is_contained(Names, StringRef(R->Name)))
        Rewrites.push_back(R);
  }

  int run(size_t Texts) {
    pipeline::Sight Seen = look(Given);
    Standard = Seen.Standard;
    if (Seen.Failed) {
      errs() << Seen.Messages;
      return 1;
    }
    std::map<std::string, int64_t> Declined;
    for (const rewrite::Declined &D : Seen.Found.Declines)
      ++Declined[D.Rewrite];
    json::Object Counts;
    for (const auto &[Name, Times] : Declined)
      Counts[Name] = Times;
    outs() << json::Value(json::Object{{"declined", std::move(Counts)}})
           << "\n";
    unsigned N = 0;
    std::vector<NewText> All = packed(choicesIn(Seen.Found, Random));
    if (Texts && Texts < All.size()) {
      llvm::shuffle(All.begin(), All.end(), Random);
      All.resize(Texts);
    }
    for (const NewText &T : All)
      make(Given, T, N++ % 3 == 0 ? 2 : 0);
    return 0;
  }
};

} // namespace

int main(int Count, char **Words) {
  process::keepHeap();
  unsigned Seed = 0, Texts = 0;
  if (Count < 5 || StringRef(Words[3]).getAsInteger(10, Seed) ||
      StringRef(Words[4]).getAsInteger(10, Texts)) {
    errs() << "usage: each-edit FILE.cl FOLDER SEED TEXTS [SHELTER "
              "[REWRITE...]]\n";
    return 2;
  }
  auto Text = MemoryBuffer::getFile(Words[1]);
  if (!Text || sys::fs::create_directories(Words[2])) {
    errs() << "each-edit: can't read " << Words[1] << " or make " << Words[2]
           << "\n";
    return 2;
  }
  return EachEdit({Words[1], (*Text)->getBuffer().str(), {}}, Words[2], Seed,
                  Count > 5 ? Words[5] : "",
                  ArrayRef(Words, size_t(Count)).drop_front(std::min(Count, 6)))
      .run(Texts);
}
