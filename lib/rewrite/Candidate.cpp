// Findings to JSON and back: they are made in a child process.
#include "rewrite/Candidate.h"
#include "source/AddOnce.h"
#include "source/JsonMembers.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace clrewrite::rewrite {

using json_members::fromJSON;
using json_members::toJSON;

void addInputsOf(KernelInfo &K, const KernelInfo &Other) {
  K.UsesGroups |= Other.UsesGroups;
  K.AsksForWhole |= Other.AsksForWhole;
  addOnce(K.Integers, Other.Integers);
  addOnce(K.Reals, Other.Reals);
}

StringRef name(Safety S) {
  static constexpr StringLiteral Names[] = {"exact", "assumes", "approximate",
                                            "contract"};
  return Names[size_t(S)];
}

static bool mapPairs(JsonWriter &O, StringLiteral Name,
                     const std::vector<ParameterPair> &List) {
  json::Array Out;
  for (const ParameterPair &Two : List)
    Out.push_back(json::Array{Two[0], Two[1]});
  O.Out[Name] = std::move(Out);
  return true;
}

static bool mapPairs(json::ObjectMapper &O, StringLiteral Name,
                     std::vector<ParameterPair> &List) {
  std::vector<std::vector<unsigned>> Read;
  bool Ok = O.map(Name, Read);
  for (const std::vector<unsigned> &Two : Read) {
    if (Two.size() != 2)
      return false;
    List.push_back({Two[0], Two[1]});
  }
  return Ok;
}

template <typename Io> static bool mapMembers(Io &O, Alternative &A) {
  return mapBytes(O, "label", A.Label) && mapNumber(O, "class", A.Class) &&
         mapBytes(O, "note", A.Note) && mapBytes(O, "remark", A.Remark) &&
         O.map("ulps", A.Ulps) && O.map("vgpr_limit", A.VgprLimit) &&
         O.map("wave_goal", A.WaveGoal) && O.map("for_time", A.ForTime) &&
         O.map("launch", A.Launch) && mapPairs(O, "apart", A.Apart) &&
         O.map("names", A.Names) && O.map("sheltered", A.Sheltered) &&
         O.map("explains", A.Explains) && O.map("changes", A.Changes);
}

template <typename Io, typename Place> static bool mapPlace(Io &O, Place &S) {
  return mapBytes(O, "rewrite", S.Rewrite) &&
         mapBytes(O, "function", S.Function) && O.map("kernels", S.Kernels) &&
         O.map("line", S.Line) && O.map("offset", S.Offset);
}

template <typename Io> static bool mapMembers(Io &O, Candidate &C) {
  return mapPlace(O, C) && O.map("alternatives", C.Alternatives) &&
         O.map("turn", C.Phase) && O.map("amd_only", C.AmdOnly) &&
         O.map("separable", C.Separable);
}

std::string includedIn(const Declined &D) {
  return "stands in an included file, " + D.Header + ":" +
         std::to_string(D.HeaderLine);
}

template <typename Io> static bool mapMembers(Io &O, Declined &D) {
  return mapPlace(O, D) && mapBytes(O, "reason", D.Reason) &&
         mapBytes(O, "header", D.Header) && O.map("header_line", D.HeaderLine);
}

template <typename Io> static bool mapMembers(Io &O, KernelArg &A) {
  return mapBytes(O, "name", A.Name) && O.map("pointer", A.Pointer) &&
         mapBytes(O, "type", A.Type) && O.map("field", A.Field) &&
         O.map("bytes", A.Bytes) && O.map("only_counts", A.OnlyCounts) &&
         O.map("channels", A.Channels) && O.map("sampled", A.Sampled) &&
         O.map("float_coords", A.FloatCoords);
}

json::Value toJSON(const KnownLaunch &L) {
  json::Array Scalars;
  for (const auto &[Name, Value] : L.Scalars)
    Scalars.push_back(
        json::Object{{"name", textOfBytes(Name)}, {"value", Value}});
  return json::Object{{"kernel", textOfBytes(L.Kernel)},
                      {"sizes", L.Sizes.sizes()},
                      {"scalars", std::move(Scalars)}};
}

namespace {
struct Scalar {
  std::string Name;
  int64_t Value = 0;
};
bool fromJSON(const json::Value &V, Scalar &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapBytes(O, "name", S.Name) && O.map("value", S.Value);
}
} // namespace

bool fromJSON(const json::Value &V, KnownLaunch &L, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<Scalar> Scalars;
  if (!O || !mapBytes(O, "kernel", L.Kernel) || !O.map("sizes", L.Sizes) ||
      !O.map("scalars", Scalars))
    return false;
  for (Scalar &S : Scalars)
    L.Scalars[std::move(S.Name)] = S.Value;
  return true;
}

template <typename Io> static bool mapMembers(Io &O, LaunchComment &C) {
  return O.map("line", C.Line) && mapBytes(O, "text", C.Text) &&
         O.map("offset", C.Offset);
}

/// The bits of each: our JSON has no numbers from 2^63 on (BoundedJson.cpp).
static bool mapBits(JsonWriter &O, StringLiteral Name,
                    const std::vector<double> &Reals) {
  std::vector<int64_t> Bits;
  for (double Each : Reals)
    Bits.push_back(bit_cast<int64_t>(Each));
  return O.map(Name, Bits);
}

static bool mapBits(json::ObjectMapper &O, StringLiteral Name,
                    std::vector<double> &Reals) {
  std::vector<int64_t> Bits;
  bool Read = O.map(Name, Bits);
  for (int64_t Each : Bits)
    Reals.push_back(bit_cast<double>(Each));
  return Read;
}

template <typename Io> static bool mapMembers(Io &O, KernelInfo &K) {
  return mapBytes(O, "name", K.Name) && O.map("line", K.Line) &&
         O.map("uninitialised", K.UninitialisedLines) &&
         O.map("args", K.Args) && O.map("dimensions", K.Dimensions) &&
         O.map("groups", K.UsesGroups) && O.map("whole", K.AsksForWhole) &&
         O.map("integers", K.Integers) && mapBits(O, "reals", K.Reals) &&
         O.map("state", K.KeepsState) && O.map("launches", K.Launches);
}

template <typename Io> static bool mapMembers(Io &O, Warning &W) {
  return O.map("line", W.Line) && mapBytes(O, "kernel", W.Kernel) &&
         mapBytes(O, "message", W.Message);
}

json::Value toJSON(const Findings &F) {
  std::vector<unsigned> Skipped;
  for (const auto &[Begin, End] : F.Skipped)
    Skipped.insert(Skipped.end(), {Begin, End});
  return json::Object{{"kernels", F.Kernels},
                      {"candidates", F.Candidates},
                      {"declined", F.Declines},
                      {"warnings", F.Warnings},
                      {"skipped", json::Array(Skipped)}};
}

bool fromJSON(const json::Value &V, Findings &F, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<unsigned> Skipped;
  if (!(O && O.map("kernels", F.Kernels) && O.map("candidates", F.Candidates) &&
        O.map("declined", F.Declines) && O.map("warnings", F.Warnings) &&
        O.map("skipped", Skipped)))
    return false;
  for (size_t I = 0; I + 1 < Skipped.size(); I += 2)
    F.Skipped.push_back({Skipped[I], Skipped[I + 1]});
  return true;
}

} // namespace clrewrite::rewrite
