// Files beside a text, and folders around it, as hints for its user.
#include "pipeline/Hints.h"
#include "frontend/Definitions.h"
#include "frontend/HostKernels.h"
#include "pipeline/InputUnits.h"
#include "pipeline/OptionFinder.h"
#include "source/AddOnce.h"
#include "source/File.h"
#include "source/Printable.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <deque>
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

// A hint is worth a moment, not a walk through a disk.
constexpr size_t MostEntries = 500;
constexpr uint64_t MostBytes = 1 << 20, MostBytesInAll = 8 << 20;
constexpr unsigned MostLevels = 3; ///< above a file that is in no repository

/// Whether \p Name may stand in a command that the user copies: a folder of
/// somebody else's may hold names with spaces, or with what a shell runs.
bool isPlain(StringRef Name) {
  return !Name.empty() && !Name.starts_with("-") && all_of(Name, [](char C) {
    return isAlnum(C) || StringRef("_-+./").contains(C);
  });
}

/// The entries of \p Folder by name; no more than \p Left, which gets less.
std::vector<sys::fs::directory_entry> entriesOf(const Twine &Folder,
                                                size_t &Left) {
  std::vector<sys::fs::directory_entry> Out;
  std::error_code Code;
  for (sys::fs::directory_iterator It(Folder, Code, /*follow_symlinks=*/false),
       End;
       It != End && !Code && Left; It.increment(Code), --Left)
    Out.push_back(*It);
  llvm::sort(Out,
             [](const auto &A, const auto &B) { return A.path() < B.path(); });
  return Out;
}

/// What may be a part of a program of OpenCL C.
bool mayDefine(StringRef Path) {
  return sortOf(Path) != FileSort::Other && !isHostProgram(Path);
}

/// A file that may define names, as it was read.
struct FileBeside {
  std::string Path;
  frontend::Definitions Defined;
  bool HasKernel;
  size_t Wanted = 0; ///< how many names

  /// Files with kernels have macros of their own, such as sizes of tiles.
  bool defines(StringRef Name) const {
    return Defined.Functions.contains(Name) || Defined.Types.contains(Name) ||
           Defined.Values.contains(Name) ||
           (!HasKernel &&
            (Defined.Macros.contains(Name) || Defined.Called.contains(Name)));
  }
};

/// The files beside \p Path that define one of \p Names.
std::vector<FileBeside> readBeside(StringRef Path,
                                   ArrayRef<std::string> Names) {
  std::vector<FileBeside> Out;
  StringRef Folder = sys::path::parent_path(Path);
  const std::string Real = folderOf(Path);
  size_t Left = MostEntries;
  uint64_t Bytes = MostBytesInAll;
  for (const sys::fs::directory_entry &Entry :
       entriesOf(Folder.empty() ? "." : Folder, Left)) {
    StringRef Name = sys::path::filename(Entry.path());
    if (Name == sys::path::filename(Path) || !isPlain(Name) ||
        !mayDefine(Name) || Entry.type() != sys::fs::file_type::regular_file)
      continue;
    ErrorOr<sys::fs::basic_file_status> Status = Entry.status();
    if (!Status || Status->getSize() > std::min(MostBytes, Bytes))
      continue;
    Bytes -= Status->getSize();
    SmallString<256> Shown(Folder);
    sys::path::append(Shown, Name);
    Expected<std::string> Text = readText(Shown, Real);
    if (!Text) {
      consumeError(Text.takeError());
      continue;
    }
    if (none_of(Names, [&](StringRef Each) {
          return StringRef(*Text).contains(Each);
        }))
      continue;
    FileBeside R{Shown.str().str(), frontend::definitionsIn(*Text),
                 frontend::holdsKernel(*Text)};
    R.Wanted = size_t(
        count_if(Names, [&](StringRef Each) { return R.defines(Each); }));
    if (R.Wanted)
      Out.push_back(std::move(R));
  }
  return Out;
}

/// The files that \p Text was put together of, as lineMarker() names them.
void addMarked(StringRef Text, std::vector<std::string> &Out) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (!Line.consume_front("#line ") || !Line.consume_back("\""))
      continue;
    StringRef Path = Line.split('"').second;
    if (!Path.empty() && !is_contained(Out, Path))
      Out.push_back(Path.str());
  }
}

/// \p Real as seen from the working folder.
std::string fromHere(StringRef Real) {
  std::string Here = realPath(".");
  std::string Up;
  for (StringRef Base = Here; !Base.empty();
       Base = sys::path::parent_path(Base), Up += "../") {
    if (Real == Base)
      return Up.empty() ? "." : Up.substr(0, Up.size() - 1);
    if (isBelow(Real, Base) && Base != "/")
      return Up + Real.substr(Base.size() + 1).str();
  }
  return Real.str();
}

} // namespace

std::string listed(ArrayRef<std::string> Names) {
  if (Names.size() < 2)
    return join(Names, "");
  return join(Names.drop_back(), ", ") + " and " + Names.back();
}

std::vector<Definer> definersOf(StringRef Path, ArrayRef<std::string> Names) {
  std::vector<Definer> Out;
  if (Names.empty())
    return Out;
  std::vector<FileBeside> Files = readBeside(Path, Names);
  stable_sort(Files, [](const FileBeside &A, const FileBeside &B) {
    return std::pair(A.HasKernel, B.Wanted) < std::pair(B.HasKernel, A.Wanted);
  });
  for (const std::string &Name : Names) {
    auto First =
        find_if(Files, [&](const FileBeside &R) { return R.defines(Name); });
    if (First == Files.end())
      continue;
    auto Known =
        find_if(Out, [&](const Definer &D) { return D.Path == First->Path; });
    if (Known == Out.end())
      Out.push_back({First->Path, First->HasKernel, {Name}});
    else
      Known->Names.push_back(Name);
  }
  return Out;
}

std::string folderGiving(StringRef Header, StringRef Path) {
  if (sys::path::is_absolute(Header))
    return "";
  const std::string Own = folderOf(Path);
  std::string Repository = repositoryOf(Path);
  std::set<std::string> Seen;
  size_t Left = MostEntries;
  auto Gives = [&](const std::string &Folder, StringRef Top) {
    std::string Found = realPath(Folder + "/" + Header.str());
    return sys::fs::is_regular_file(Found) && isBelow(Found, Top);
  };
  unsigned Level = 0;
  for (std::string Top = Own; !Top.empty() && !holdsHome(Top) &&
                              (!Repository.empty() || Level <= MostLevels);
       Top = sys::path::parent_path(Top).str(), ++Level) {
    // What is near to the top is looked at first.
    std::deque<std::string> Waiting{Top};
    for (; !Waiting.empty() && Left; Waiting.pop_front()) {
      std::string Folder = Waiting.front();
      if (!Seen.insert(Folder).second)
        continue;
      if (Gives(Folder, Repository.empty() ? Top : Repository))
        if (std::string Shown = fromHere(Folder); isPlain(Shown))
          return Shown;
      for (const sys::fs::directory_entry &Entry : entriesOf(Folder, Left))
        if (Entry.type() == sys::fs::file_type::directory_file &&
            !sys::path::filename(Entry.path()).starts_with("."))
          Waiting.push_back(Entry.path());
    }
    if (Top == Repository)
      break;
  }
  return "";
}

std::string definersHint(StringRef Path, ArrayRef<Definer> Definers,
                         ArrayRef<std::string> Others) {
  if (Definers.empty())
    return "";
  std::vector<std::string> Said, Program, Included;
  for (const Definer &D : Definers) {
    Said.push_back(D.Path + " defines " + listed(D.Names));
    if (sortOf(D.Path) == FileSort::Host)
      append_values(Included, "-include", D.Path);
    else
      Program.push_back(D.Path);
  }
  std::string Out = join(Said, ", ");
  // --program takes no file of C++: its strings are put together otherwise.
  if (sortOf(Path) == FileSort::Host && !Program.empty())
    return Out + "; where the host program builds them as one text, clrewrite "
                 "capture looks at what it builds";
  addOnce(Program, Others);
  Out += Program.size() > 1 ? ": clrewrite --program " : ": clrewrite ";
  Out += join(Program, " ");
  return Out + (Included.empty() ? "" : " -- " + join(Included, " "));
}

/// \p Name is like the built-in functions and types of extensions.
static bool mayBeBuiltIn(StringRef Name) {
  return frontend::isLongVector(Name) ||
         any_of(ArrayRef<StringRef>{"sub_group_", "get_sub_group_",
                                    "work_group_", "dot_acc_sat", "intel_",
                                    "qcom_", "arm_", "amd_"},
                [&](StringRef Each) { return Name.starts_with(Each); });
}

/// What can be done about names that \p Of uses, that nobody defines and for
/// which nothing is likely.
static std::string aboutUnknown(ArrayRef<std::string> Names, const Unit &Of) {
  if (Names.empty())
    return "";
  const bool One = Names.size() == 1;
  std::string Head = listed(Names) + (One ? " is" : " are");
  if (all_of(Names, mayBeBuiltIn))
    return Head +
           " not known to the compiler here, and perhaps built into "
           "that of a vendor: a text that uses " +
           (One ? "it" : "them") + " can't be looked at";
  return Head + " called, and no file beside this one defines " +
         (One ? "it" : "them") +
         "; where the host program builds another text before this one, give "
         "both: clrewrite --program OTHER.cl " +
         Of.Path;
}

std::string hintsFor(const Unit &Of, const Sight &Seen,
                     function_ref<Sight(ArrayRef<std::string>)> Again) {
  std::string Out;
  auto Add = [&](const std::string &Hint) {
    if (!Hint.empty())
      Out += "hint: " + printable(Hint) + "\n";
  };
  const frontend::Missing &Lacks = Seen.Missing;
  auto folder = [&](StringRef Header) {
    return Of.HostMade ? "" : folderGiving(Header, Of.Path);
  };
  FoundOptions F =
      findOptions(Of.HostMade ? "" : Of.Path, Seen,
                  {Again, folder, /*Passed=*/nullptr, /*IncludeOf=*/nullptr});
  // Beside the copies of a capture are other copies.
  if (!Of.HostMade) {
    std::vector<std::string> Others;
    const Build &B = Of.Builds.front();
    addMarked(B.Before, Others);
    if (!is_contained(Others, Of.Path))
      Others.push_back(Of.Path);
    addMarked(B.After, Others);
    Add(definersHint(Of.Path, F.OthersOfFirst, Others));
  }
  if (!Lacks.HalfVector.empty()) {
    Add(Lacks.HalfVector + " is a type of cl_khr_fp16, which the compiler for "
                           "this target does not have; name targets that have "
                           "it, for example --target=gfx906");
    return Out;
  }
  // Where the text still does not parse, later guesses may answer errors that
  // earlier ones caused.
  if (F.Last.Failed) {
    F.Options.resize(F.OfFirst);
    F.Names.resize(F.OfFirst);
    for (const std::string &Header : Lacks.Headers)
      if (!is_contained(F.Names, Header)) {
        F.Names.push_back(Header);
        F.Options.push_back("-I DIRECTORY_OF_" +
                            (isPlain(Header) ? Header : "IT"));
      }
  }
  Add(frontend::suggestion(F.Names, F.Options));
  std::vector<std::string> Unknown;
  for (const frontend::MissingName &N : Lacks.Names)
    if (N.Guess.empty() && none_of(F.OthersOfFirst, [&](const Definer &D) {
          return is_contained(D.Names, N.Name);
        }))
      Unknown.push_back(N.Name);
  if (F.Last.Failed)
    Add(aboutUnknown(Unknown, Of));
  return Out;
}

} // namespace clrewrite::pipeline
