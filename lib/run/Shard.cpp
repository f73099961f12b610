// Units that belong together are joined to groups, and each group gets a shard.
#include "run/Shard.h"
#include "config/Shard.h"
#include "pipeline/Headers.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;

namespace clrewrite::run {
namespace {

using Digest = std::array<uint8_t, 16>;

Digest digestOf(ArrayRef<StringRef> Parts) {
  BLAKE3 Hash;
  for (StringRef Part : Parts) {
    Hash.update(utostr(Part.size()) + " ");
    Hash.update(Part);
  }
  return Hash.final<sizeof(Digest)>();
}

StringRef bytesOf(const Digest &D) {
  return {reinterpret_cast<const char *>(D.data()), D.size()};
}

/// Units that must be in one shard.
struct Group {
  std::vector<size_t> Members;
  Digest Name = {}; ///< of the paths and bytes of their files
  double Cost = 0;
  unsigned Shard = 0; ///< from 0
};

/// The groups by their first units.
std::vector<Group> groupsOf(ArrayRef<pipeline::Unit> Units,
                            ArrayRef<const pipeline::Setup *> Setups) {
  IntEqClasses Together(unsigned(Units.size()));
  std::map<std::string, unsigned> ByPath;
  std::map<size_t, unsigned> ByProgram;
  std::vector<std::string> Real;
  for (const pipeline::Unit &U : Units) {
    auto I = unsigned(Real.size());
    Real.push_back(realPath(U.Path));
    Together.join(I, ByPath.insert({Real.back(), I}).first->second);
    for (const pipeline::Build &B : U.Builds)
      if (B.Program)
        Together.join(I, ByProgram.insert({B.Program, I}).first->second);
  }
  for (const auto &[Path, Includers] : pipeline::includersAmong(Units, Setups))
    if (auto Included = ByPath.find(Path); Included != ByPath.end())
      for (size_t Each : Includers)
        Together.join(unsigned(Each), Included->second);
  Together.compress();
  std::vector<Group> Out(Together.getNumClasses());
  for (size_t I = 0; I < Units.size(); ++I)
    Out[Together[unsigned(I)]].Members.push_back(I);
  return Out;
}

/// The milliseconds that each path took, by the report \p Path.
Expected<std::map<std::string, double>> readCosts(const std::string &Path) {
  Expected<json::Value> Document = readReport(Path);
  if (!Document)
    return createStringError("--costs: " + toString(Document.takeError()));
  std::map<std::string, double> Out;
  const json::Object *Top = Document->getAsObject();
  if (const json::Array *Files = Top ? Top->getArray("files") : nullptr)
    for (const json::Value &Each : *Files)
      if (const json::Object *F = Each.getAsObject())
        if (auto Cost = F->getNumber("milliseconds"); Cost && *Cost >= 0)
          Out[F->getString("path").value_or("").str()] += *Cost;
  if (Out.empty())
    return createStringError(
        "--costs: " + Path +
        ": has no times of files; --timing with --format=json writes them");
  return Out;
}

/// What each group costs by \p Costs. A file that these do not have costs as
/// much as those that they have on average.
void setCosts(std::vector<Group> &Groups, ArrayRef<pipeline::Unit> Units,
              const std::map<std::string, double> &Costs) {
  double Sum = 0;
  for (const auto &[Path, Cost] : Costs)
    Sum += Cost;
  for (Group &G : Groups) {
    std::set<std::string> Paths;
    for (size_t I : G.Members)
      Paths.insert(json::fixUTF8(Units[I].Path));
    for (const std::string &Path : Paths) {
      auto Known = Costs.find(Path);
      G.Cost +=
          Known == Costs.end() ? Sum / double(Costs.size()) : Known->second;
    }
  }
}

/// Deals the groups out to \p Count shards: by their names alone, or the
/// costliest first, each to the shard that has least to do.
void deal(std::vector<Group> &Groups, unsigned Count, bool ByCost) {
  if (!ByCost) {
    for (Group &G : Groups)
      G.Shard = support::endian::read32le(G.Name.data()) % Count;
    return;
  }
  std::vector<Group *> Order;
  for (Group &G : Groups)
    Order.push_back(&G);
  llvm::sort(Order, [](const Group *A, const Group *B) {
    return std::tie(B->Cost, A->Name, A->Members) <
           std::tie(A->Cost, B->Name, B->Members);
  });
  std::set<std::pair<double, unsigned>> Loads;
  for (unsigned I = 0; I < Count; ++I)
    Loads.insert({0, I});
  for (Group *G : Order) {
    auto [Load, Shard] = *Loads.begin();
    Loads.erase(Loads.begin());
    Loads.insert({Load + G->Cost, Shard});
    G->Shard = Shard;
  }
}

/// The bytes of a file that can't be read are none: its run says why.
std::string textOf(const pipeline::Unit &U) {
  Expected<std::string> Text = readText(U.Path, U.Folder);
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return "";
}

void setNames(std::vector<Group> &Groups, ArrayRef<pipeline::Unit> Units) {
  for (Group &G : Groups) {
    std::set<Digest> Files;
    for (size_t I : G.Members)
      Files.insert(digestOf({Units[I].Path, textOf(Units[I])}));
    std::vector<StringRef> Parts;
    for (const Digest &Each : Files)
      Parts.push_back(bytesOf(Each));
    G.Name = digestOf(Parts);
  }
}

/// What all shards of one run have in common: the program, what is given, the
/// files, and the shard of each.
std::string nameOfRun(const config::Options &O, unsigned Count,
                      ArrayRef<Group> Groups) {
  std::string Given;
  raw_string_ostream OS(Given);
  config::Config Set = O.Set;
  Set.Jobs.reset(); // each machine has its own
  config::writeConfig(Set, OS);
  for (const std::string &Word : O.AfterDashes)
    OS << Word << '\0';
  OS << CLREWRITE_VERSION << " " << LLVM_VERSION_STRING << " " << Count;
  for (const Group &G : Groups) {
    OS << bytesOf(G.Name) << G.Shard;
    for (size_t I : G.Members)
      OS << " " << I;
  }
  return toHex(bytesOf(digestOf({Given})), /*LowerCase=*/true);
}

/// Tells each unit where its report stands among all: where it was given, or,
/// of a header that others include, behind all units, by its real path.
void setPlaces(MutableArrayRef<pipeline::Unit> Units) {
  std::vector<std::pair<std::string, size_t>> Behind;
  for (size_t I = 0; I < Units.size(); ++I) {
    Units[I].Place = I;
    Behind.push_back({realPath(Units[I].Path), I});
  }
  llvm::sort(Behind);
  for (auto [Rank, Each] : enumerate(Behind))
    Units[Each.second].PlaceBehind = Units.size() + Rank;
}

} // namespace

Expected<report::ShardMark>
keepShard(const config::Options &O, std::vector<pipeline::Unit> &Units,
          std::vector<const pipeline::Setup *> &Setups) {
  const config::Shard Wanted = cantFail(config::parseShard(O.Shard));
  std::vector<Group> Groups = groupsOf(Units, Setups);
  setNames(Groups, Units);
  if (!O.Costs.empty()) {
    Expected<std::map<std::string, double>> Costs = readCosts(O.Costs);
    if (!Costs)
      return Costs.takeError();
    setCosts(Groups, Units, *Costs);
  }
  deal(Groups, Wanted.Of, /*ByCost=*/!O.Costs.empty());
  setPlaces(Units);
  report::ShardMark Mark{Wanted.Number, Wanted.Of,
                         nameOfRun(O, Wanted.Of, Groups)};
  std::set<size_t> Mine;
  for (const Group &G : Groups)
    if (G.Shard + 1 == Wanted.Number)
      Mine.insert(G.Members.begin(), G.Members.end());
  std::vector<pipeline::Unit> Kept;
  std::vector<const pipeline::Setup *> KeptSetups;
  for (size_t I : Mine) {
    Kept.push_back(std::move(Units[I]));
    KeptSetups.push_back(Setups[I]);
  }
  Units = std::move(Kept);
  Setups = std::move(KeptSetups);
  return Mark;
}

} // namespace clrewrite::run
