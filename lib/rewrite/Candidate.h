// What a search for rewrites found: plain values, which outlive the AST.
#pragma once

#include "launch/LaunchChange.h"
#include "source/Edit.h"
#include <array>
#include <map>
#include <optional>

namespace clrewrite::rewrite {

/// How far the results of a rewritten program are known to be the same.
enum class Safety {
  Exact,       ///< bit-identical for every input of a defined program
  Assumes,     ///< exact under a stated assumption that the source can't show
  Approximate, ///< changes rounding
  Contract,    ///< changes what the host program must do
};

llvm::StringRef name(Safety S);

/// Two parameters of a kernel, by index.
using ParameterPair = std::array<unsigned, 2>;

/// One way to rewrite a site.
struct Alternative {
  /// Names the alternative within its rewrite, kebab-case.
  std::string Label;
  Safety Class = Safety::Exact;
  /// For Assumes: what is assumed, a sentence. For Contract: what the host
  /// must change. Else empty.
  std::string Note;
  Edits Changes;
  /// For Approximate: how far, in units in the last place, verification lets
  /// the floating-point results of a kernel be from the original's on the
  /// inputs that it tries. None: nothing is stated, so nothing can be verified.
  std::optional<unsigned> Ulps = std::nullopt;
  /// It limits a kernel to this many VGPRs, and so does nothing where no target
  /// needs more. None: no limit.
  std::optional<unsigned> VgprLimit = std::nullopt;
  /// It asks for room for this many waves on a SIMD, and so does nothing where
  /// each target has them. None: it asks for none.
  std::optional<unsigned> WaveGoal = std::nullopt;
  /// It can save time alone, never registers or memory, so that it is tried
  /// only where time decides, measured or estimated.
  bool ForTime = false;
  /// How the host must launch the site's kernels then; only for Contract.
  std::optional<launch::LaunchChange> Launch = std::nullopt;
  /// For Assumes: all that is assumed is that each two of these, which are
  /// pointers to global memory of the site's kernel, lead to buffers without a
  /// byte in common. Empty: what is assumed can't be said so.
  std::vector<ParameterPair> Apart = {};
  /// Why the edits are there, in a few words: what the comment says that is
  /// written behind the first line that they add, where no figure is known that
  /// says it better. Empty: they need no comment.
  std::string Remark = {};
  /// The code does not tell what the remark says, so that it stands beside the
  /// figure, too.
  bool Explains = false;
  /// The names that its edits give to new variables of the function. They are
  /// known to be unused in the text that the edits were made for.
  std::vector<std::string> Names = {};
  /// Only the compilers of some GPUs read what its edits add (Shelter.h).
  bool Sheltered = false;
};

/// A place that a rewrite can change.
struct Candidate {
  std::string Rewrite;
  /// The function it stands in, and the kernels that reach that function.
  std::string Function;
  std::vector<std::string> Kernels;
  unsigned Line = 0;   ///< 1-based
  unsigned Offset = 0; ///< bytes
  std::vector<Alternative> Alternatives;
  unsigned Phase = 0; ///< as of the rewrite, like what follows
  bool AmdOnly = false, Separable = false;
};

/// A place that a rewrite looks for, but must leave alone.
struct Declined {
  std::string Rewrite;
  std::string Function;
  std::vector<std::string> Kernels;
  unsigned Line = 0;
  unsigned Offset = 0;
  /// The sentence of the condition that does not hold.
  std::string Reason;
  /// A comment keeps the site as it is.
  bool Suppressed = false;
  /// Where it stands in a file that is included: that file, and the line.
  std::string Header = {};
  unsigned HeaderLine = 0;
};

/// The reason of a site in an included file, but for what could be done.
std::string includedIn(const Declined &D);

/// A kernel's parameter, as far as running it needs.
struct KernelArg {
  std::string Name = {};
  bool Pointer = false;
  /// The type, or for a pointer what it points to, by OpenCL C's short name
  /// without typedefs: "float4", "uint"; empty for a structure.
  std::string Type;
  /// sizeof the type; 0 for an incomplete one, an image, a sampler.
  unsigned Bytes = 0;
  /// An integer by value that says nothing but how often loops run
  /// (TripCounts.h).
  bool OnlyCounts = false;
  /// Of a structure that holds numbers of one type alone, and no padding: that
  /// type, "float". Else empty.
  std::string Field = {};
  /// An image or a sampler: "f", "i" or "ui", which read_image and write_image
  /// are applied to it; empty where none is seen, or more than one.
  std::string Channels = {};
  /// An image that is read through samplers alone, so that it may be read
  /// outside; a sampler that is used.
  bool Sampled = false;
  /// Sampled, and with floating coordinates alone: those that normalised ones,
  /// repeating and filtering are defined for.
  bool FloatCoords = false;
};

/// A comment before a kernel that says how it is launched, such as
/// "// clrewrite: launch global=64x64 local=8x8 width=64".
struct LaunchComment {
  unsigned Line = 0;
  std::string Text = {}; ///< what stands after "launch"
  /// Where Text stands in the file.
  unsigned Offset = 0;
};

/// A launch of a kernel that the user, a comment or a recording describes.
struct KnownLaunch {
  std::string Kernel;
  /// No Global where only the arguments are known.
  launch::NDRange Sizes = {};
  /// The values of scalar integers, by parameter name or 0-based index.
  std::map<std::string, int64_t> Scalars = {};
};

llvm::json::Value toJSON(const KnownLaunch &L);
bool fromJSON(const llvm::json::Value &V, KnownLaunch &L, llvm::json::Path P);

struct KernelInfo {
  std::string Name;
  unsigned Line = 0;
  /// Lines of this kernel, and of the functions that it calls, which read a
  /// variable before anything was assigned to it on any path.
  std::vector<unsigned> UninitialisedLines = {};
  std::vector<KernelArg> Args = {};
  /// How many dimensions of the NDRange it, and the functions that it calls,
  /// ask for; 0 for none.
  unsigned Dimensions = 0;
  /// They ask for ids or sizes of work-groups, or wait at a barrier.
  bool UsesGroups = false;
  /// They ask for what a launch of some of the work-items, with a global
  /// offset, changes: sizes or the offset of the NDRange, ids or the number of
  /// work-groups.
  bool AsksForWhole = false;
  /// They use a variable that outlives a launch and is no constant.
  bool KeepsState = false;
  /// The numbers in their text, but for tables: what is compared with one of
  /// them, or masked by it, is tested with values like it. Sorted.
  std::vector<int64_t> Integers = {};
  std::vector<double> Reals = {};
  std::vector<LaunchComment> Launches = {};
};

/// Adds to \p K what inputs must have so that they suit \p Other, too, which is
/// the same kernel in another text or build.
void addInputsOf(KernelInfo &K, const KernelInfo &Other);

/// A note for the user that is tied to a place.
struct Warning {
  unsigned Line = 0;
  std::string Kernel;
  std::string Message;
};

/// All that one look at a source gives. Sorted by offset, then name.
struct Findings {
  std::vector<KernelInfo> Kernels;
  std::vector<Candidate> Candidates;
  std::vector<Declined> Declines;
  std::vector<Warning> Warnings;
  /// Bytes of the main file that the preprocessor skips, from a directive to
  /// the next one of its #if; ends are exclusive.
  std::vector<std::pair<unsigned, unsigned>> Skipped = {};
};

llvm::json::Value toJSON(const Findings &F);
bool fromJSON(const llvm::json::Value &V, Findings &F, llvm::json::Path P);

} // namespace clrewrite::rewrite
