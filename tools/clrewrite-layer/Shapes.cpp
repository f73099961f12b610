#include "Shapes.h"
#include "Layer.h"
#include "Names.h"

namespace clrewrite::layer {

/// How many shapes of one kernel on one device are told apart: a kernel whose
/// scalars count iterations has as many as iterations.
static constexpr unsigned MaxShapes = 64;

namespace {

/// Builds the key of a shape: bytes that are equal for equal shapes.
class Key {
public:
  Key() { Text.reserve(256); }
  void number(uint64_t N) {
    Text.append(reinterpret_cast<const char *>(&N), sizeof N);
  }
  /// \p List may be null.
  void sizes(const size_t *List, cl_uint Count) {
    number(List ? Count : 0);
    for (cl_uint I = 0; List && I < Count; ++I)
      number(List[I]);
  }
  void bytes(const std::string &B) {
    number(B.size());
    Text += B;
  }
  /// Which of the objects met so far \p Id is.
  void object(uint64_t Id) {
    size_t I = 0;
    while (I < Met.size() && Met[I] != Id)
      ++I;
    if (I == Met.size())
      Met.push_back(Id);
    number(I);
  }
  std::string take() { return std::move(Text); }

private:
  std::string Text;
  std::vector<uint64_t> Met;
};

} // namespace

static void addSvm(Key &K, const void *Pointer) {
  auto Found = state()->Svm.find(Pointer);
  K.number(Found ? Found->What.Bytes : ~uint64_t(0));
  K.number(Found ? static_cast<const char *>(Pointer) - Found->Base : 0);
  K.object(Found ? Found->What.Id : 0);
}

static void addArgument(Key &K, const Argument &A, bool WithScalars) {
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

static std::string keyOf(const Queue &Q, const LaunchCall &Call,
                         const Kernel &With, bool WithScalars) {
  Key K;
  K.number(Q.On->Id);
  K.number(Q.OutOfOrder);
  K.number(Call.Name[0]);
  K.sizes(Call.Global, Call.Dimensions);
  K.sizes(Call.Local, Call.Dimensions);
  K.sizes(Call.Offset, Call.Dimensions);
  for (const Argument &A : With.Arguments)
    addArgument(K, A, WithScalars);
  for (const void *P : With.SvmPointers)
    addSvm(K, P);
  return K.take();
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

std::shared_ptr<Launch> launchOf(Kernel &K, const Queue &Q,
                                 const LaunchCall &Call) {
  Layer &S = *state();
  KernelRecord &R = *K.Of;
  std::lock_guard<std::mutex> Guard(K.Lock);
  std::string Key = keyOf(Q, Call, K, /*WithScalars=*/true);
  std::lock_guard<std::mutex> RecordGuard(R.Lock);
  if (auto It = R.Launches.find(Key); It != R.Launches.end())
    return It->second;
  bool Other = R.Kept[Q.On->Id] >= MaxShapes;
  if (std::shared_ptr<Launch> &Rest = R.Others[Q.On->Id]; Other && Rest)
    return Rest;
  auto New = std::make_shared<Launch>();
  New->Id = S.NextLaunch++;
  New->Count = S.Out->counts(New->Id);
  if (!New->Count)
    S.Out->drop("launches", "more shapes of launches than can be counted");
  if (int Samples = int(S.Out->settings().DataSamples); Samples && !Other) {
    auto &Left = R.Samples[keyOf(Q, Call, K, /*WithScalars=*/false)];
    if (!Left)
      Left = std::make_shared<std::atomic<int>>(Samples);
    New->SamplesLeft = Left;
  }
  S.Out->write(describe(New->Id, K, Q, Other ? nullptr : &Call));
  if (Other) {
    R.Others[Q.On->Id] = New;
  } else {
    ++R.Kept[Q.On->Id];
    R.Launches[std::move(Key)] = New;
  }
  return New;
}

} // namespace clrewrite::layer
