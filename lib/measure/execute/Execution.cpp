// From a launch to buffers, arguments and the waves that are executed.
#include "measure/execute/Execution.h"
#include "measure/execute/MadeUpLaunch.h"
#include "measure/execute/WaveInterpreter.h"
#include "measure/llvm/Optimise.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// The work-items of a work-group where the launch leaves that to the driver.
/// They lie along the first dimension first.
constexpr uint64_t AssumedGroup = 64;
/// Waves that are executed where they need not be a whole group.
constexpr unsigned SampledWaves = 4;
/// And where these do unlike amounts of work, by the blocks that they enter, so
/// that a few say little of all; as long as a share of the work that may be
/// done is not spent.
constexpr unsigned SampledUnlikeWaves = 32;
constexpr double MostSpent = 0.25;
/// And for their neighbours, of which there are no more than them.
constexpr double MostSpentToShare = 0.5;
/// Waves of a SIMD that run at one time, for what they share of memory.
constexpr double WavesOfSimd = 4;

class Execution {
public:
  Execution(const Function &Kernel, const GpuModel &Model,
            const launch::LaunchFacts &Launch)
      : Kernel(Kernel), Layout(Kernel.getParent()->getDataLayout()),
        Model(Model), Launch(Launch),
        Waves(Kernel, Model, Grid, Memory, Record) {
    Grid.WaveLanes = Model.WaveLanes;
  }

  /// Limits the work for the first waves.
  void limitWork(uint64_t Most) { Waves.limitWork(Most); }
  bool isTooLarge() const { return Waves.isTooLarge(); }

  WaveCounts run() {
    layOut();
    passArguments();
    describeLaunch();
    sample();
    WaveCounts Out;
    Out.Problem = Waves.problem();
    if (!Out.Problem.empty())
      return Out;
    Out.Waves = Record.Waves;
    Out.MadeUp = Launch.MadeUp;
    double N = std::max(1u, Record.Waves);
    Out.Bytes = Record.Bytes / N;
    Out.SharedBytes = Out.Bytes * Shared;
    Out.Again.add(Record.Again, 1 / N);
    Out.PrivateBytes = Record.PrivateBytes / N;
    Out.Alone = Alone;
    for (const Function &F : *Kernel.getParent())
      if (!F.isDeclaration() && Record.Runs.contains(&F.getEntryBlock()))
        for (const BasicBlock &B : F)
          Out.Runs[&B] = double(Record.Runs.lookup(&B)) / N;
    for (auto &[Pointer, Samples] : Record.Addresses)
      Out.Patterns[Pointer] = Samples.patterns();
    for (const auto &[Pointer, Each] : Record.Hits)
      Out.Hits[Pointer] = Each.share();
    const TexelAccesses &Reads = Record.TexelReads,
                        &Writes = Record.TexelWrites;
    Out.TexelBytes = Reads.mean(Reads.Bytes);
    Out.TexelLines = Reads.mean(Reads.Lines);
    Out.TexelHits = Reads.Accesses.share();
    Out.WrittenTexelBytes = Writes.mean(Writes.Bytes);
    return Out;
  }

private:
  const Function &Kernel;
  const DataLayout &Layout;
  const GpuModel &Model;
  const launch::LaunchFacts &Launch;
  WaveGrid Grid;
  DeviceMemory Memory;
  WaveRecord Record;
  WaveInterpreter Waves;
  /// Of the bytes that a wave touches: its share, where those that work-groups
  /// which run at one time share are moved once.
  double Shared = 1;
  /// Of the bytes of buffers that a wave touches: the share that no wave far
  /// away does.
  double Alone = 1;

  void layOut() {
    Grid.MadeUp = !Launch.MadeUp.empty();
    Grid.Dimensions = unsigned(Launch.Global.size());
    for (unsigned D = 0; D < 3; ++D)
      Grid.Global[D] = D < Launch.Global.size() ? Launch.Global[D] : 1;
    for (unsigned D = 0; D < 3 && !Launch.Local.empty(); ++D)
      Grid.Local[D] =
          D < Launch.Local.size() ? std::max<uint64_t>(1, Launch.Local[D]) : 1;
    uint64_t Left = AssumedGroup;
    for (unsigned D = 0; D < 3 && Launch.Local.empty(); ++D) {
      Grid.Local[D] = std::clamp<uint64_t>(Grid.Global[D], 1, Left);
      Left /= Grid.Local[D];
    }
    for (unsigned D = 0; D < 3; ++D)
      Grid.Groups[D] = divideCeil(Grid.Global[D], Grid.Local[D]);
  }

  /// The address of the memory that parameter \p I points to.
  uint64_t bufferFor(unsigned I, unsigned Space) {
    auto It = Launch.Buffers.find(I);
    launch::LaunchBuffer B =
        It == Launch.Buffers.end() ? launch::LaunchBuffer() : It->second;
    if (Space == SharedSpace)
      return Waves.addShared(B.Bytes, 16);
    uint64_t At =
        Memory.add(B.Bytes, {B.ElementBytes, B.Floating}, /*Counted=*/true);
    return B.Bytes == EndlessBytes ? At + EndlessBytes / 2 : At;
  }

  /// The OpenCL type of parameter \p I where that is an image or a sampler,
  /// else empty.
  StringRef opaqueType(unsigned I) const {
    StringRef Name = argumentType(Kernel, I);
    return Name == "sampler_t" ||
                   (Name.starts_with("image") && Name.ends_with("_t"))
               ? Name
               : "";
  }

  /// The address of the descriptor of parameter \p I, an image or a sampler.
  uint64_t descriptorFor(unsigned I) {
    auto It = Launch.Words.find(I);
    StringRef Words = It == Launch.Words.end() ? "" : StringRef(It->second);
    Expected<uint64_t> At = addDescriptor(opaqueType(I), Words);
    if (At)
      return *At;
    Waves.fail("its argument " + Twine(I) + " " + toString(At.takeError()));
    return 0;
  }

  Expected<uint64_t> addDescriptor(StringRef Type, StringRef Words) {
    if (Type == "sampler_t")
      return Waves.images().addSampler(Words);
    if (Launch.MadeUp.empty())
      return Waves.images().addImage(Type, Words, Launch.Global, false);
    // As large as integers are.
    const uint64_t Size = Launch.MadeUp.front();
    return Waves.images().addImage(Type, Words, {Size, Size, Size}, true);
  }

  /// The bytes of parameter \p A, \p Bytes of them; empty where nothing tells.
  std::vector<uint8_t> passed(const Argument &A, uint64_t Bytes) {
    std::vector<uint8_t> Out(Bytes);
    unsigned I = A.getArgNo();
    if (const auto *P = dyn_cast<PointerType>(A.getType());
        P && !A.hasPointeeInMemoryValueAttr()) {
      uint64_t At = opaqueType(I).empty() ? bufferFor(I, P->getAddressSpace())
                                          : descriptorFor(I);
      std::memcpy(Out.data(), &At, std::min<size_t>(Bytes, sizeof At));
      return Out;
    }
    if (auto It = Launch.Values.find(I); It != Launch.Values.end()) {
      std::memcpy(Out.data(), It->second.data(),
                  std::min<size_t>(Bytes, It->second.size()));
      return Out;
    }
    auto It = Launch.Scalars.find(I);
    if (It == Launch.Scalars.end() || Bytes > sizeof It->second)
      return {};
    std::memcpy(Out.data(), &It->second, Bytes);
    return Out;
  }

  /// AMD's kernels load their arguments from a segment, where LLVM's
  /// AMDGPULowerKernelArguments puts them: one after the other, aligned as
  /// their types are. Others, and those that are loaded before, are values.
  void passArguments() {
    uint64_t End = 0;
    std::vector<std::pair<uint64_t, std::vector<uint8_t>>> Segment;
    std::vector<std::pair<uint64_t, uint64_t>> Missing;
    for (const Argument &A : Kernel.args()) {
      Type *T = A.hasPointeeInMemoryValueAttr()
                    ? A.getPointeeInMemoryValueType()
                    : A.getType();
      uint64_t Bytes = Layout.getTypeAllocSize(T);
      Align Aligned = Layout.getValueOrABITypeAlignment(
          A.hasPointeeInMemoryValueAttr() ? A.getParamAlign() : std::nullopt,
          T);
      End = alignTo(End, Aligned);
      std::vector<uint8_t> Value = passed(A, Bytes);
      if (Value.empty() && Bytes)
        Missing.push_back({End, Bytes});
      if (!A.use_empty())
        setArgument(A, T, Value);
      Segment.push_back({End, std::move(Value)});
      End += Bytes;
    }
    // Short arguments are loaded with the bytes behind them.
    Grid.Kernarg = Memory.add(alignTo(End, 16), {}, /*Counted=*/false);
    for (const auto &[At, Value] : Segment)
      Memory.write(Grid.Kernarg + At, Value);
    for (auto [At, Bytes] : Missing)
      Waves.setUnknown(Grid.Kernarg + At, Bytes);
  }

  void setArgument(const Argument &A, Type *T, ArrayRef<uint8_t> Value) {
    if (Value.empty())
      return Waves.fail("the launch gives an argument no value");
    if (A.hasPointeeInMemoryValueAttr()) {
      uint64_t At = Memory.add(Value.size(), {}, /*Counted=*/false);
      Memory.write(At, Value);
      return Waves.setArgument(A, At);
    }
    Type *Scalar = T->getScalarType();
    uint64_t Size = Layout.getTypeStoreSize(Scalar);
    unsigned Count =
        T->isVectorTy() ? cast<FixedVectorType>(T)->getNumElements() : 1;
    SmallVector<uint64_t, 4> Words;
    for (unsigned I = 0; I < Count && Size <= 8; ++I) {
      uint64_t Word = 0;
      std::memcpy(&Word, Value.data() + I * Size, Size);
      Words.push_back(Word);
    }
    if (Words.empty() || T->isAggregateType())
      return Waves.fail("it takes an argument that is not executed");
    Waves.setArgument(A, Words);
  }

  template <typename T> void put(uint64_t At, uint64_t Value) {
    T Narrow = T(Value);
    Memory.write(At, ArrayRef(reinterpret_cast<const uint8_t *>(&Narrow),
                              sizeof Narrow));
  }

  /// What AMD's kernels read of the launch: the dispatch packet of the HSA
  /// Platform System Architecture Specification, 2.10, and the hidden arguments
  /// of code object V5 (LLVM, "User Guide for AMDGPU Backend").
  void describeLaunch() {
    constexpr uint64_t PacketBytes = 64, HiddenBytes = 256;
    Grid.Dispatch = Memory.add(PacketBytes, {}, /*Counted=*/false);
    Grid.ImplicitArg = Memory.add(HiddenBytes, {}, /*Counted=*/false);
    put<uint16_t>(Grid.Dispatch + 2, Grid.Dimensions);
    put<uint64_t>(Grid.Dispatch + 40, Grid.Kernarg);
    put<uint16_t>(Grid.ImplicitArg + 64, Grid.Dimensions);
    for (unsigned D = 0; D < 3; ++D) {
      put<uint16_t>(Grid.Dispatch + 4 + 2 * D, Grid.Local[D]);
      put<uint32_t>(Grid.Dispatch + 12 + 4 * D, Grid.Global[D]);
      put<uint32_t>(Grid.ImplicitArg + 4 * D, Grid.Global[D] / Grid.Local[D]);
      put<uint16_t>(Grid.ImplicitArg + 12 + 2 * D, Grid.Local[D]);
      put<uint16_t>(Grid.ImplicitArg + 18 + 2 * D,
                    Grid.Global[D] % Grid.Local[D]);
      put<uint64_t>(Grid.ImplicitArg + 40 + 8 * D,
                    D < Launch.Offset.size() ? Launch.Offset[D] : 0);
    }
  }

  uint64_t blocksEntered() const {
    uint64_t All = 0;
    for (const auto &Each : Record.Runs)
      All += Each.second;
    return All;
  }

  /// Work-groups that lie apart in each dimension, none at an edge where there
  /// are others.
  void sample() {
    if (!Waves.problem().empty())
      return;
    bool Whole = Waves.needsWholeGroups();
    uint64_t Items = Grid.Local[0] * Grid.Local[1] * Grid.Local[2];
    auto OfGroup = unsigned(divideCeil(Items, Grid.WaveLanes));
    unsigned Samples =
        Whole ? unsigned(divideCeil(SampledWaves, OfGroup)) : SampledWaves;
    static constexpr unsigned Orders[3][SampledWaves] = {
        {0, 1, 2, 3}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    uint64_t Least = UINT64_MAX, Most = 0;
    Sample Last;
    std::vector<TouchedLines> Apart;
    for (unsigned S = 0; S < Samples; ++S) {
      const uint64_t Before = blocksEntered();
      for (unsigned D = 0; D < 3; ++D)
        Last.Group[D] =
            (2 * (Orders[D][S] % Samples) + 1) * Grid.Groups[D] / (2 * Samples);
      if (!Whole)
        Last.Wave = S % OfGroup;
      if (!Waves.run(Last.Group, Last.Wave))
        return;
      const uint64_t Own = blocksEntered() - Before;
      Least = std::min(Least, Own);
      Most = std::max(Most, Own);
      Apart.insert(Apart.end(), Record.Touched.begin(), Record.Touched.end());
    }
    Alone = aloneShare(Apart);
    Waves.limitWork(WaveInterpreter::MostOfAll);
    const std::vector<TouchedLines> Touched = std::move(Record.Touched);
    if (!Whole && Most > Least)
      sampleMore(OfGroup);
    if (Waves.spent() < MostSpentToShare)
      shareMemory(Last, Touched, OfGroup);
  }

  /// A work-group that is run, or a wave of it.
  struct Sample {
    uint64_t Group[3];
    std::optional<unsigned> Wave;
  };

  /// All lines that \p Waves touched.
  static TouchedLines linesOf(ArrayRef<TouchedLines> Waves) {
    TouchedLines Out;
    for (const TouchedLines &Each : Waves)
      for (auto [Line, Words] : Each)
        Out[Line] |= Words;
    return Out;
  }

  static double bytesOf(const TouchedLines &Lines) {
    double Out = 0;
    for (auto [Buffer, Bytes] : bytesByBuffer(Lines))
      Out += Bytes;
    return Out;
  }

  /// What each of \p Waves touches that the others don't, if each touches as
  /// much.
  static double aloneShare(ArrayRef<TouchedLines> Waves) {
    double Sum = 0, N = double(Waves.size());
    for (const TouchedLines &Each : Waves)
      Sum += bytesOf(Each);
    if (N < 2 || Sum <= 0)
      return 1;
    double Share = bytesOf(linesOf(Waves)) / Sum; // from 1/N to 1
    return std::clamp((Share * N - 1) / (N - 1), 0.0, 1.0);
  }

  /// The lines of \p S, whose run is not counted; nullopt where it can't be
  /// run.
  std::optional<TouchedLines> linesOf(const Sample &S) {
    WaveRecord Kept = std::exchange(Record, WaveRecord());
    std::optional<TouchedLines> Out;
    if (Waves.run(S.Group, S.Wave))
      Out = linesOf(Record.Touched);
    else
      Waves.forgetProblem();
    Record = std::move(Kept);
    return Out;
  }

  /// What each of \p N in a row has to move, of which each shares \p Overlap
  /// with the one before.
  static double shareOf(double N, double Overlap) {
    return (1 + (N - 1) * (1 - Overlap)) / N;
  }

  /// How much of what \p Last moves, whose waves touched \p Touched, its
  /// neighbours move as well, along each dimension: the L2 has it for all that
  /// run at one time, which go through loops side by side.
  void shareMemory(const Sample &Last, ArrayRef<TouchedLines> Touched,
                   unsigned OfGroup) {
    const TouchedLines Own = linesOf(Touched);
    const std::map<uint64_t, double> OwnBytes = bytesByBuffer(Own);
    std::map<uint64_t, double> Moved = OwnBytes; // a share of it, in the end
    auto share = [&](double N, const Sample &Next) {
      std::optional<TouchedLines> Lines = linesOf(Next);
      if (!Lines)
        return;
      std::map<uint64_t, double> Others = bytesByBuffer(*Lines),
                                 All = bytesByBuffer(linesOf({Own, *Lines}));
      for (auto [Buffer, Bytes] : OwnBytes) {
        double Common = (Bytes + Others[Buffer] - All[Buffer]) / Bytes;
        Moved[Buffer] *= shareOf(N, std::clamp(Common, 0.0, 1.0));
      }
    };
    if (Last.Wave && OfGroup > 1) {
      Sample Next = Last;
      Next.Wave = (*Last.Wave + 1) % OfGroup;
      share(OfGroup, Next);
    }
    double Left = std::max(1.0, double(Model.Simds) * WavesOfSimd / OfGroup);
    const double Along = std::pow(Left, 1.0 / Grid.Dimensions);
    for (unsigned D = 0; D < Grid.Dimensions; ++D) {
      if (Grid.Groups[D] < 2)
        continue;
      // A launch that is made up has more work-groups than it says.
      double N = Launch.MadeUp.empty() ? std::min(Left, double(Grid.Groups[D]))
                                       : Along;
      Left /= N;
      Sample Next = Last;
      Next.Group[D] += Next.Group[D] + 1 < Grid.Groups[D] ? 1 : -1;
      share(N, Next);
    }
    // A work-group that was run as a whole has shared among its waves already.
    double OfAll = 0, OfWaves = 0;
    for (auto [Buffer, Bytes] : Moved)
      OfAll += Bytes;
    for (const TouchedLines &Wave : Touched)
      OfWaves += bytesOf(Wave);
    if (OfWaves > 0)
      Shared = OfAll / OfWaves;
  }

  /// More work-groups, whose places in a dimension are multiples of an
  /// irrational number, so that they fill the launch evenly (Kronecker's
  /// sequence). Those before one that can't be executed count.
  void sampleMore(unsigned OfGroup) {
    static constexpr double Steps[3] = {0.618034, 0.754878, 0.569840};
    for (unsigned S = SampledWaves;
         S < SampledUnlikeWaves && Waves.spent() < MostSpent; ++S) {
      uint64_t Group[3];
      for (unsigned D = 0; D < 3; ++D) {
        double At = S * Steps[D];
        Group[D] = uint64_t((At - std::floor(At)) * double(Grid.Groups[D]));
      }
      const WaveRecord Kept = Record;
      if (!Waves.run(Group, S % OfGroup)) {
        Record = Kept;
        Waves.forgetProblem();
        return;
      }
    }
  }
};

class ExecutingPass : public FunctionPass {
public:
  static char ID;
  ExecutingPass(const launch::FactsByKernel &Launches, const GpuModel &Model,
                CountsByKernel &Into)
      : FunctionPass(ID), Launches(Launches), Model(Model), Into(Into) {}

  StringRef getPassName() const override { return "execute some waves"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }
  bool runOnFunction(Function &F) override {
    if (!isKernel(F))
      return false;
    std::string Name = F.getName().str();
    auto It = Launches.find(Name);
    if (It != Launches.end() && !It->second.Global.empty()) {
      Into[Name] = executeWaves(F, Model, It->second);
      return false;
    }
    ArrayRef<unsigned> Sizes;
    if (It != Launches.end())
      Sizes = It->second.MadeUp;
    WaveCounts Counts = executeMadeUp(F, Model, Sizes);
    if (Counts.Problem.empty())
      Into[Name] = std::move(Counts);
    return false;
  }

private:
  const launch::FactsByKernel &Launches;
  GpuModel Model;
  CountsByKernel &Into;
};

char ExecutingPass::ID = 0;

} // namespace

WaveCounts executeWaves(const Function &Kernel, const GpuModel &Model,
                        const launch::LaunchFacts &Launch) {
  return Execution(Kernel, Model, Launch).run();
}

WaveCounts executeMadeUp(const Function &Kernel, const GpuModel &Model,
                         ArrayRef<unsigned> Sizes) {
  // Of each launch, while the largest that serves is looked for.
  constexpr uint64_t MostWork = 16'000'000;
  WaveCounts Out;
  Out.Problem = "there is no launch of these sizes";
  for (const launch::LaunchFacts &Each : madeUpLaunches(Kernel, Sizes)) {
    Execution E(Kernel, Model, Each);
    if (Sizes.empty())
      E.limitWork(MostWork);
    Out = E.run();
    if (Out.Problem.empty() || !E.isTooLarge())
      break;
  }
  return Out;
}

FunctionPass *createExecutingPass(const launch::FactsByKernel &Launches,
                                  const GpuModel &Model, CountsByKernel &Into) {
  return new ExecutingPass(Launches, Model, Into);
}

} // namespace clrewrite::measure
