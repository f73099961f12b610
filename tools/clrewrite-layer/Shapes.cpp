// Launches are compared by kernel, sizes and arguments.
#include "Shapes.h"
#include "Layer.h"
#include "Names.h"
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clrewrite::layer {

/// How many shapes of one kernel on one device are told apart: a kernel whose
/// scalars count iterations has as many as iterations.
static constexpr unsigned MaxShapes = 64;

size_t ShapeHash::operator()(const ShapeKey &Key) const {
  return XXH3_64bits(Key.data(), Key.size() * sizeof(uint64_t));
}

namespace {

/// Writes the key of a shape into \p Room, which keeps its memory from launch
/// to launch. \p Met is the same for the objects met so far.
class KeyWriter {
public:
  KeyWriter(ShapeKey &Room, std::vector<uint64_t> &Met) : Room(Room), Met(Met) {
    Met.clear();
    Room.resize(Room.capacity());
  }
  /// To be called before that many numbers are added.
  void reserve(size_t Count) {
    if (Used + Count > Room.size())
      Room.resize(Used + Count + Room.size());
  }
  void number(uint64_t N) { Room[Used++] = N; }
  void bytes(const std::string &B) {
    size_t Words = (B.size() + 7) / 8;
    reserve(Words + 1);
    number(B.size());
    if (Words)
      Room[Used + Words - 1] = 0;
    memcpy(Room.data() + Used, B.data(), B.size());
    Used += Words;
  }
  /// Which of the objects met so far \p Id is; an id of 0 is none.
  void object(uint64_t Id) {
    size_t I = 0;
    while (Id && I < Met.size() && Met[I] != Id)
      ++I;
    if (Id && I == Met.size())
      Met.push_back(Id);
    number(Id ? I : ~uint64_t(0));
  }
  void end() { Room.resize(Used); }

  /// What stands behind an argument may change though the argument does not.
  bool HoldsOnlyNow = false;

private:
  ShapeKey &Room;
  std::vector<uint64_t> &Met;
  size_t Used = 0;
};

} // namespace

static void addSvm(KeyWriter &K, const void *Pointer) {
  K.HoldsOnlyNow = true;
  auto Found = state()->Svm.find(Pointer);
  K.reserve(3);
  K.number(Found ? Found->What.Bytes : ~uint64_t(0));
  K.number(Found ? static_cast<const char *>(Pointer) - Found->Base : 0);
  K.object(Found ? Found->What.Id : 0);
}

static void addArgument(KeyWriter &K, const Argument &A, bool WithScalars) {
  K.reserve(4);
  K.number(A.Kind);
  switch (A.Kind) {
  case Argument::Memory:
    K.number(A.Mem->Shape);
    K.object(A.Mem->Id);
    K.object(A.Mem->Parent);
    break;
  case Argument::Sampler:
    K.number(A.Sam->Normalized);
    K.number(A.Sam->Address);
    K.number(A.Sam->Filter);
    break;
  case Argument::Svm:
    addSvm(K, A.Pointer);
    break;
  case Argument::Local:
  case Argument::Other:
    K.number(A.Size);
    break;
  case Argument::Bytes:
    WithScalars ? K.bytes(A.Value) : K.number(A.Size);
    break;
  case Argument::Null:
  case Argument::Unset:
    break;
  }
}

static CallShape shapeOf(const Queue &Q, const LaunchCall &Call) {
  CallShape S{Q.On->Id, uint64_t(Call.Dimensions) << 4 |
                            uint64_t(Q.OutOfOrder) << 3 |
                            uint64_t(Call.Name[0] == 't') << 2 |
                            uint64_t(Call.Local != nullptr) << 1 |
                            uint64_t(Call.Offset != nullptr)};
  for (cl_uint I = 0; I < Call.Dimensions; ++I) {
    S[2 + I] = Call.Global[I];
    S[5 + I] = Call.Local ? Call.Local[I] : 0;
    S[8 + I] = Call.Offset ? Call.Offset[I] : 0;
  }
  return S;
}

/// Leaves the key in With.Key, whose lock is held. False where it may not hold
/// for the next launch, though no argument changes.
static bool makeKey(const CallShape &Call, Kernel &With, bool WithScalars) {
  KeyWriter K(With.Key, With.Met);
  K.reserve(Call.size());
  for (uint64_t N : Call)
    K.number(N);
  for (const Argument &A : With.Arguments)
    addArgument(K, A, WithScalars);
  for (const void *P : With.SvmPointers)
    addSvm(K, P);
  K.end();
  return !K.HoldsOnlyNow;
}

static void describeSvm(Line &L, const void *Pointer) {
  auto Found = state()->Svm.find(Pointer);
  L.text("kind", "svm").id("mem", Found ? Found->What.Id : 0);
  if (!Found) {
    L.null("bytes").null("offset");
    return;
  }
  L.number("bytes", Found->What.Bytes)
      .number("offset", static_cast<const char *>(Pointer) - Found->Base);
}

static void describeMemory(Line &L, const Memory &M) {
  auto sizeOrNull = [&](const char *Name, uint64_t N) { L.id(Name, N); };
  if (M.isImage()) {
    L.text("kind", "image")
        .number("mem", M.Id)
        .texts("flags", flagNames(M.Flags))
        .textOrNull("type", imageTypeName(M.Type))
        .textOrNull("channel_order",
                    channelOrderName(M.Format.image_channel_order))
        .textOrNull("channel_type",
                    channelTypeName(M.Format.image_channel_data_type));
    sizeOrNull("width", M.Width);
    sizeOrNull("height", M.Height);
    sizeOrNull("depth", M.Depth);
    sizeOrNull("layers", M.Layers);
    L.number("element_bytes", M.ElementBytes)
        .number("bytes", M.Bytes)
        .id("buffer", M.Parent);
    return;
  }
  if (!M.isBuffer()) {
    L.text("kind", "other").number("bytes", sizeof(cl_mem));
    return;
  }
  L.text("kind", M.Parent ? "subbuffer" : "buffer")
      .number("mem", M.Id)
      .number("bytes", M.Bytes)
      .texts("flags", flagNames(M.Flags));
  if (M.Parent)
    L.number("parent", M.Parent)
        .number("offset", M.Offset)
        .number("parent_bytes", M.ParentBytes);
}

static std::string hex(const std::string &Bytes) {
  static const char Digits[] = "0123456789abcdef";
  std::string Text;
  for (unsigned char C : Bytes)
    (Text += Digits[C >> 4]) += Digits[C & 15];
  return Text;
}

static void describe(Line &L, const Argument &A) {
  L.openObject("");
  switch (A.Kind) {
  case Argument::Memory:
    describeMemory(L, *A.Mem);
    break;
  case Argument::Sampler:
    L.text("kind", "sampler")
        .boolean("normalized", A.Sam->Normalized)
        .textOrNull("address", addressName(A.Sam->Address))
        .textOrNull("filter", filterName(A.Sam->Filter));
    break;
  case Argument::Svm:
    describeSvm(L, A.Pointer);
    break;
  case Argument::Local:
    L.text("kind", "local").number("bytes", A.Size);
    break;
  case Argument::Bytes:
    L.text("kind", "bytes").number("bytes", A.Size).text("hex", hex(A.Value));
    break;
  case Argument::Other:
    L.text("kind", "other").number("bytes", A.Size);
    break;
  case Argument::Null:
    L.text("kind", "null");
    break;
  case Argument::Unset:
    L.text("kind", "unset");
    break;
  }
  L.closeObject();
}

static void sizesOrNull(Line &L, const char *Name, const size_t *List,
                        cl_uint Count) {
  List ? L.numbers(Name, std::vector<uint64_t>(List, List + Count))
       : L.null(Name);
}

/// \p Call is null for what stands for all further shapes.
static Line describe(uint64_t Id, const Kernel &K, const Queue &Q,
                     const LaunchCall *Call) {
  Line L("launch");
  L.number("id", Id).number("kernel", K.Of->Id).number("device", Q.On->Id);
  if (!Call) {
    L.boolean("other", true);
    return L;
  }
  L.text("call", Call->Name).boolean("out_of_order", Q.OutOfOrder);
  sizesOrNull(L, "global", Call->Global, Call->Dimensions);
  sizesOrNull(L, "local", Call->Local, Call->Dimensions);
  sizesOrNull(L, "offset", Call->Offset, Call->Dimensions);
  L.openList("arguments");
  for (const Argument &A : K.Arguments)
    describe(L, A);
  L.closeList().openList("svm_pointers");
  for (const void *P : K.SvmPointers) {
    L.openObject("");
    describeSvm(L, P);
    L.closeObject();
  }
  L.closeList();
  return L;
}

/// The record of a shape that was not met before, and is one of those that are
/// kept or the first of the others. Both locks are held.
static std::unique_ptr<Launch> newLaunch(Kernel &K, const Queue &Q,
                                         const LaunchCall &Call,
                                         const CallShape &Shape, bool Other) {
  Layer &S = *state();
  auto New = std::make_unique<Launch>();
  New->Id = S.NextLaunch++;
  New->Count = S.Out->counts(New->Id);
  if (!New->Count)
    S.Out->drop("launches", "more shapes of launches than can be counted");
  if (int Samples = int(S.Out->settings().DataSamples); Samples && !Other) {
    makeKey(Shape, K, /*WithScalars=*/false);
    auto &Left = K.Of->Samples[K.Key];
    if (!Left)
      Left = std::make_shared<std::atomic<int>>(Samples);
    New->SamplesLeft = Left;
  }
  S.Out->write(describe(New->Id, K, Q, Other ? nullptr : &Call));
  return New;
}

/// What launchOf gives for a launch that is not like the one before, and whose
/// key is K.LastKey.
static Launch &findLaunch(Kernel &K, const Queue &Q, const LaunchCall &Call,
                          const CallShape &Shape) {
  KernelRecord &R = *K.Of;
  std::lock_guard<std::mutex> Guard(R.Lock);
  if (auto It = R.Launches.find(K.LastKey); It != R.Launches.end())
    return *It->second;
  unsigned &Kept = R.Kept[Q.On->Id];
  if (Kept < MaxShapes) {
    ++Kept;
    return *(R.Launches[K.LastKey] =
                 newLaunch(K, Q, Call, Shape, /*Other=*/false));
  }
  std::unique_ptr<Launch> &Rest = R.Others[Q.On->Id];
  if (!Rest)
    Rest = newLaunch(K, Q, Call, Shape, /*Other=*/true);
  return *Rest;
}

Launch &launchOf(Kernel &K, const Queue &Q, const LaunchCall &Call) {
  CallShape Shape = shapeOf(Q, Call);
  std::lock_guard<std::mutex> Guard(K.Lock);
  if (!K.Changed && K.LastShape == Shape)
    return *K.Last;
  K.Changed = !makeKey(Shape, K, /*WithScalars=*/true);
  K.LastShape = Shape;
  if (K.Last && K.Key == K.LastKey)
    return *K.Last;
  K.LastKey = K.Key;
  K.Last = &findLaunch(K, Q, Call, Shape);
  return *K.Last;
}

} // namespace clrewrite::layer
