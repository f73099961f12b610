// Findings to JSON and back: they are made in a child process.
#include "rewrite/Candidate.h"
#include "source/AddOnce.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace clrewrite::rewrite {

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

static json::Value toJSON(const Alternative &A) {
  json::Array Apart;
  for (const ParameterPair &Two : A.Apart)
    Apart.push_back(json::Array{Two[0], Two[1]});
  return json::Object{{"label", textOfBytes(A.Label)},
                      {"class", int(A.Class)},
                      {"note", textOfBytes(A.Note)},
                      {"remark", textOfBytes(A.Remark)},
                      {"ulps", A.Ulps},
                      {"vgpr_limit", A.VgprLimit},
                      {"for_time", A.ForTime},
                      {"launch", A.Launch},
                      {"apart", std::move(Apart)},
                      {"names", json::Array(A.Names)},
                      {"sheltered", A.Sheltered},
                      {"explains", A.Explains},
                      {"changes", json::Array(A.Changes)}};
}

static bool fromJSON(const json::Value &V, Alternative &A, json::Path P) {
  json::ObjectMapper O(V, P);
  int Class = 0;
  std::vector<std::vector<unsigned>> Apart;
  bool Ok = O && mapBytes(O, "label", A.Label) && O.map("class", Class) &&
            mapBytes(O, "note", A.Note) && mapBytes(O, "remark", A.Remark) &&
            O.map("ulps", A.Ulps) && O.map("vgpr_limit", A.VgprLimit) &&
            O.map("for_time", A.ForTime) && O.map("launch", A.Launch) &&
            O.map("apart", Apart) && O.map("names", A.Names) &&
            O.map("sheltered", A.Sheltered) && O.map("explains", A.Explains) &&
            O.map("changes", A.Changes);
  A.Class = Safety(Class);
  for (const std::vector<unsigned> &Two : Apart) {
    if (Two.size() != 2)
      return false;
    A.Apart.push_back({Two[0], Two[1]});
  }
  return Ok;
}

template <typename Place> static json::Object place(const Place &S) {
  return json::Object{{"rewrite", textOfBytes(S.Rewrite)},
                      {"function", textOfBytes(S.Function)},
                      {"kernels", json::Array(S.Kernels)},
                      {"line", S.Line},
                      {"offset", S.Offset}};
}

template <typename Place>
static bool mapPlace(json::ObjectMapper &O, Place &S) {
  return O && mapBytes(O, "rewrite", S.Rewrite) &&
         mapBytes(O, "function", S.Function) && O.map("kernels", S.Kernels) &&
         O.map("line", S.Line) && O.map("offset", S.Offset);
}

static json::Value toJSON(const Candidate &C) {
  json::Object O = place(C);
  O["alternatives"] = C.Alternatives;
  O["turn"] = C.Phase;
  O["amd_only"] = C.AmdOnly;
  O["separable"] = C.Separable;
  return O;
}

static bool fromJSON(const json::Value &V, Candidate &C, json::Path P) {
  json::ObjectMapper O(V, P);
  return mapPlace(O, C) && O.map("alternatives", C.Alternatives) &&
         O.map("turn", C.Phase) && O.map("amd_only", C.AmdOnly) &&
         O.map("separable", C.Separable);
}

std::string includedIn(const Declined &D) {
  return "stands in an included file, " + D.Header + ":" +
         std::to_string(D.HeaderLine);
}

static json::Value toJSON(const Declined &D) {
  json::Object O = place(D);
  O["reason"] = textOfBytes(D.Reason);
  O["header"] = textOfBytes(D.Header);
  O["header_line"] = D.HeaderLine;
  return O;
}

static bool fromJSON(const json::Value &V, Declined &D, json::Path P) {
  json::ObjectMapper O(V, P);
  return mapPlace(O, D) && mapBytes(O, "reason", D.Reason) &&
         mapBytes(O, "header", D.Header) && O.map("header_line", D.HeaderLine);
}

static json::Value toJSON(const KernelArg &A) {
  return json::Object{{"name", textOfBytes(A.Name)},
                      {"pointer", A.Pointer},
                      {"type", textOfBytes(A.Type)},
                      {"field", A.Field},
                      {"bytes", A.Bytes},
                      {"only_counts", A.OnlyCounts},
                      {"channels", A.Channels},
                      {"sampled", A.Sampled},
                      {"float_coords", A.FloatCoords}};
}

static bool fromJSON(const json::Value &V, KernelArg &A, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapBytes(O, "name", A.Name) && O.map("pointer", A.Pointer) &&
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

static json::Value toJSON(const LaunchComment &C) {
  return json::Object{
      {"line", C.Line}, {"text", textOfBytes(C.Text)}, {"offset", C.Offset}};
}

static bool fromJSON(const json::Value &V, LaunchComment &C, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("line", C.Line) && mapBytes(O, "text", C.Text) &&
         O.map("offset", C.Offset);
}

/// The bits of each: our JSON has no numbers from 2^63 on (BoundedJson.cpp).
static std::vector<int64_t> bitsOf(const std::vector<double> &Reals) {
  std::vector<int64_t> Out;
  for (double Each : Reals)
    Out.push_back(bit_cast<int64_t>(Each));
  return Out;
}

static json::Value toJSON(const KernelInfo &K) {
  return json::Object{{"name", textOfBytes(K.Name)},
                      {"line", K.Line},
                      {"uninitialised", json::Array(K.UninitialisedLines)},
                      {"args", K.Args},
                      {"dimensions", K.Dimensions},
                      {"groups", K.UsesGroups},
                      {"whole", K.AsksForWhole},
                      {"integers", K.Integers},
                      {"reals", bitsOf(K.Reals)},
                      {"state", K.KeepsState},
                      {"launches", K.Launches}};
}

static bool fromJSON(const json::Value &V, KernelInfo &K, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<int64_t> Bits;
  bool Read = O && mapBytes(O, "name", K.Name) && O.map("line", K.Line) &&
              O.map("uninitialised", K.UninitialisedLines) &&
              O.map("args", K.Args) && O.map("dimensions", K.Dimensions) &&
              O.map("groups", K.UsesGroups) && O.map("whole", K.AsksForWhole) &&
              O.map("integers", K.Integers) && O.map("reals", Bits) &&
              O.map("state", K.KeepsState) && O.map("launches", K.Launches);
  for (int64_t Each : Bits)
    K.Reals.push_back(bit_cast<double>(Each));
  return Read;
}

static json::Value toJSON(const Warning &W) {
  return json::Object{{"line", W.Line},
                      {"kernel", textOfBytes(W.Kernel)},
                      {"message", textOfBytes(W.Message)}};
}

static bool fromJSON(const json::Value &V, Warning &W, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("line", W.Line) && mapBytes(O, "kernel", W.Kernel) &&
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
