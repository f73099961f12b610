// Texture and surface instructions for OpenCL's images.
//
//   read_imagef(image, sampler, (int2)(x, y))
//     -> tex.2d.v4.f32.s32 {r, g, b, a}, [image, sampler, {x, y}]
//   write_imagef(image, (int2)(x, y), colour)
//     -> suq.channel_order, an order of the colour by it, and
//        sust.p.2d.v4.b32.trap [image, {x, y}], {r, g, b, a}
//   get_image_width(image) -> txq.width, and suq.width where it is written
//
// NVIDIA's OpenCL driver 580.159.04 has the same in PTX.
#include "measure/nvptx/NvidiaImages.h"
#include "measure/execute/DeviceImages.h"
#include "measure/llvm/Optimise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include <optional>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// CL/cl.h's numbers of the orders of channels in which a colour is not stored
/// as it is written.
enum ChannelOrder { AlphaAlone = 0x10B1, RedAlpha = 0x10B3, Bgra, Argb };

/// "image2d_array_depth" of a function's first parameter, taken apart.
struct ImageKind {
  unsigned Dimensions; ///< 1 to 3, layers not counted
  bool Layers, Depth;
  enum { ReadOnly, WriteOnly, ReadWrite } Access;

  /// In the names of LLVM's intrinsics: "2d.array".
  std::string geometry() const {
    return (Twine(Dimensions) + (Layers ? "d.array" : "d")).str();
  }
};

/// Of "read_imagef(ocl_image2d_ro, ocl_sampler, float vector[2])".
std::optional<ImageKind> kindOf(StringRef Signature) {
  StringRef Type = Signature.split("(ocl_image").second.split(',').first;
  Type.consume_back(")");
  ImageKind K;
  K.Access = StringSwitch<decltype(K.Access)>(Type.take_back(3))
                 .Case("_ro", ImageKind::ReadOnly)
                 .Case("_wo", ImageKind::WriteOnly)
                 .Default(ImageKind::ReadWrite);
  Type = Type.drop_back(3);
  if (Type.consumeInteger(10, K.Dimensions) || !Type.consume_front("d"))
    return std::nullopt;
  Type.consume_front("_buffer");
  K.Layers = Type.consume_front("_array");
  K.Depth = Type.consume_front("_depth");
  return Type.empty() ? std::optional(K) : std::nullopt;
}

CallInst *call(IRBuilder<> &B, const Twine &Name, Type *Result,
               ArrayRef<Value *> Args) {
  SmallVector<Type *> Types;
  for (Value *Each : Args)
    Types.push_back(Each->getType());
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(
      M.getOrInsertFunction(("llvm.nvvm." + Name).str(),
                            FunctionType::get(Result, Types, false)),
      Args);
}

/// Tells the back end that \p Of is \p What, "sampler", or that its parameter
/// \p Number is.
void annotate(Module &M, GlobalValue &Of, StringRef What, unsigned Number) {
  LLVMContext &C = M.getContext();
  M.getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(
          MDNode::get(C, {ConstantAsMetadata::get(&Of), MDString::get(C, What),
                          ConstantAsMetadata::get(
                              ConstantInt::get(Type::getInt32Ty(C), Number))}));
}

/// The handle of a sampler of the module's.
Value *handleOf(IRBuilder<> &B, GlobalVariable &Sampler) {
  return call(B, "texsurf.handle.internal.p1", B.getInt64Ty(), {&Sampler});
}

/// The body of one function.
class Body {
public:
  Body(Function &F, ImageKind K)
      : F(F), K(K), B(BasicBlock::Create(F.getContext(), "", &F)) {}

  /// Returns the read of texels as \p Channels, "f32", "s32" or "u32".
  void read(StringRef Channels) {
    const bool Sampled = F.arg_size() == 3;
    Value *At = F.getArg(Sampled ? 2 : 1);
    const bool ByFloats = At->getType()->isFPOrFPVectorTy();
    Type *Channel = Channels == "f32" ? B.getFloatTy() : B.getInt32Ty();
    SmallVector<Value *> Args{handle(0), Sampled ? handle(1) : sampler(false)};
    append_range(Args, placeOf(At));
    Value *Texel =
        call(B,
             "tex." + Twine(K.geometry()) + ".v4" + Channels +
                 (ByFloats ? ".f32" : ".s32"),
             StructType::get(Channel, Channel, Channel, Channel), Args);
    if (K.Depth)
      return finish(B.CreateExtractValue(Texel, 0));
    Value *Out = PoisonValue::get(F.getReturnType());
    for (unsigned I = 0; I < 4; ++I)
      Out = B.CreateInsertElement(Out, B.CreateExtractValue(Texel, I), I);
    finish(Out);
  }

  void write() {
    SmallVector<Value *> Args{handle(0)};
    append_range(Args, placeOf(F.getArg(1)));
    Value *Colour = F.getArg(2);
    SmallVector<Value *, 4> Channels;
    if (K.Depth)
      Channels.assign(4, Colour);
    else
      for (unsigned I = 0; I < 4; ++I)
        Channels.push_back(B.CreateExtractElement(Colour, I));
    for (Value *&Each : Channels)
      Each = B.CreateBitCast(Each, B.getInt32Ty());
    append_range(Args, K.Depth ? Channels : inOrderOfImage(Channels));
    call(B, "sust.p." + Twine(K.geometry()) + ".v4i32.trap", B.getVoidTy(),
         Args);
    B.CreateRetVoid();
  }

  /// Returns what the descriptor has under the \p Names.
  void query(ArrayRef<StringRef> Names) {
    Type *Whole = F.getReturnType();
    if (Names.size() == 1)
      return finish(B.CreateZExtOrTrunc(asked(Names[0]), Whole));
    Value *Out = Constant::getNullValue(Whole);
    for (auto [I, Name] : enumerate(Names))
      Out = B.CreateInsertElement(Out, asked(Name), I);
    finish(Out);
  }

  /// Makes a function that returns a sampler of \p F's argument.
  static void translate(Function &F) {
    Body Of(F, ImageKind());
    Of.finish(
        Of.B.CreateIntToPtr(Of.samplerOf(F.getArg(0)), F.getReturnType()));
  }

private:
  Function &F;
  ImageKind K;
  IRBuilder<> B;

  void finish(Value *Result) { B.CreateRet(Result); }

  Value *handle(unsigned Arg) {
    return B.CreatePtrToInt(F.getArg(Arg), B.getInt64Ty());
  }

  /// A sampler of the module's, one for all whose coordinates go from 0 to 1,
  /// and one for all others: what else a text states of them costs nothing.
  Value *sampler(bool Normalised) {
    Module &M = *F.getParent();
    StringRef Name =
        Normalised ? "clrewrite_normalised" : "clrewrite_unnormalised";
    GlobalVariable *Sampler = M.getNamedGlobal(Name);
    if (!Sampler) {
      Sampler = new GlobalVariable(
          M, B.getInt64Ty(), /*isConstant=*/false, GlobalValue::InternalLinkage,
          B.getInt64(Normalised), Name, nullptr, GlobalValue::NotThreadLocal,
          /*AddressSpace=*/1);
      annotate(M, *Sampler, "sampler", 1);
    }
    return handleOf(B, *Sampler);
  }

  /// That of \p Stated, a constant once it is inlined: the first bit is
  /// CLK_NORMALIZED_COORDS_TRUE.
  Value *samplerOf(Value *Stated) {
    return B.CreateSelect(B.CreateTrunc(Stated, B.getInt1Ty()), sampler(true),
                          sampler(false));
  }

  /// The layer, where there are some, and the coordinates.
  SmallVector<Value *, 4> placeOf(Value *At) {
    SmallVector<Value *, 4> Out;
    auto component = [&](unsigned I) {
      return At->getType()->isVectorTy() ? B.CreateExtractElement(At, I) : At;
    };
    if (K.Layers) {
      Value *Layer = component(K.Dimensions);
      Out.push_back(Layer->getType()->isFloatTy()
                        ? B.CreateFPToSI(Layer, B.getInt32Ty())
                        : Layer);
    }
    for (unsigned I = 0; I < K.Dimensions; ++I)
      Out.push_back(component(I));
    return Out;
  }

  Value *asked(StringRef Name) {
    StringRef Of = K.Access == ImageKind::ReadOnly ? "txq." : "suq.";
    return call(B, Of + Name, B.getInt32Ty(), {handle(0)});
  }

  SmallVector<Value *, 4> inOrderOfImage(ArrayRef<Value *> C) {
    Value *Order = asked("channel.order"), *None = B.getInt32(0);
    SmallVector<Value *, 4> Out(C);
    const std::pair<ChannelOrder, std::array<Value *, 4>> Others[] = {
        {AlphaAlone, {C[3], None, None, None}},
        {RedAlpha, {C[0], C[3], None, None}},
        {Bgra, {C[2], C[1], C[0], C[3]}},
        {Argb, {C[3], C[0], C[1], C[2]}}};
    for (const auto &[Which, Stored] : Others) {
      Value *Is = B.CreateICmpEQ(Order, B.getInt32(Which));
      for (unsigned I = 0; I < 4; ++I)
        Out[I] = B.CreateSelect(Is, Stored[I], Out[I]);
    }
    return Out;
  }
};

/// What get_image_... asks for; empty for what is no such function.
SmallVector<StringRef, 3> askedBy(StringRef Name, const ImageKind &K) {
  if (Name == "get_image_dim")
    return K.Dimensions == 3
               ? SmallVector<StringRef, 3>{"width", "height", "depth"}
               : SmallVector<StringRef, 3>{"width", "height"};
  StringRef What = StringSwitch<StringRef>(Name)
                       .Case("get_image_width", "width")
                       .Case("get_image_height", "height")
                       .Case("get_image_depth", "depth")
                       .Case("get_image_array_size", "array.size")
                       .Case("get_image_channel_order", "channel.order")
                       .Case("get_image_channel_data_type", "channel.data.type")
                       .Default("");
  return What.empty() ? SmallVector<StringRef, 3>()
                      : SmallVector<StringRef, 3>{What};
}

/// \p T is the type of coordinates of \p K: of layers, too, and of volumes with
/// one more.
bool isPlace(const Type *T, const ImageKind &K) {
  const auto *V = dyn_cast<FixedVectorType>(T);
  const unsigned Needed = K.Dimensions + K.Layers;
  const Type *Each = T->getScalarType();
  return (Each->isFloatTy() || Each->isIntegerTy(32)) &&
         (V ? V->getNumElements() : 1) == (Needed == 3 ? 4 : Needed);
}

/// \p T is the type of a texel of \p K.
bool isTexel(const Type *T, bool Floats, const ImageKind &K) {
  const auto *V = dyn_cast<FixedVectorType>(T);
  const Type *Each = T->getScalarType();
  return (Floats ? Each->isFloatTy() : Each->isIntegerTy(32)) &&
         (V ? V->getNumElements() : 1) == (K.Depth ? 1 : 4);
}

/// False where \p F is no function of images, or one that stays undefined.
bool define(Function &F) {
  std::string Signature = demangle(F.getName());
  StringRef Name = StringRef(Signature).split('(').first;
  if (F.getName() == "__translate_sampler_initializer") {
    Body::translate(F);
    return true;
  }
  std::optional<ImageKind> K = kindOf(Signature);
  if (!K)
    return false;
  StringRef Channels = StringSwitch<StringRef>(Name)
                           .Case("read_imagef", "f32")
                           .Case("read_imagei", "s32")
                           .Case("read_imageui", "u32")
                           .Default("");
  const unsigned N = F.arg_size();
  const bool IsSampled = N == 3 && F.getArg(1)->getType()->isPointerTy();
  if (!Channels.empty() && K->Access == ImageKind::ReadOnly &&
      (N == 2 || IsSampled) && isPlace(F.getArg(N - 1)->getType(), *K) &&
      isTexel(F.getReturnType(), Channels == "f32", *K)) {
    Body(F, *K).read(Channels);
    return true;
  }
  StringRef Written = Name;
  if (Written.consume_front("write_image") && N == 3 &&
      is_contained({"f", "i", "ui"}, Written) &&
      K->Access != ImageKind::ReadOnly && isPlace(F.getArg(1)->getType(), *K) &&
      isTexel(F.getArg(2)->getType(), Written == "f", *K)) {
    Body(F, *K).write();
    return true;
  }
  if (auto Asked = askedBy(Name, *K); !Asked.empty() && F.arg_size() == 1) {
    Body(F, *K).query(Asked);
    return true;
  }
  return false;
}

/// Says which parameters of \p Kernel are images and samplers, by the types
/// that Clang writes down of it.
void noteParameters(Function &Kernel) {
  const MDNode *Access = Kernel.getMetadata("kernel_arg_access_qual");
  for (unsigned I = 0; Access && I < Access->getNumOperands(); ++I) {
    StringRef What, Type = argumentType(Kernel, I);
    if (Type == "sampler_t")
      What = "sampler";
    else if (Type.starts_with("image"))
      What = StringSwitch<StringRef>(
                 cast<MDString>(Access->getOperand(I))->getString())
                 .Case("write_only", "wroimage")
                 .Case("read_write", "rdwrimage")
                 .Default("rdoimage");
    if (!What.empty())
      annotate(*Kernel.getParent(), Kernel, What, I);
  }
}

} // namespace

void defineImages(Module &M) {
  SetVector<Function *> Inlined;
  for (Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && define(F)) {
      F.setLinkage(GlobalValue::InternalLinkage);
      Inlined.insert(&F);
    }
  if (Inlined.empty())
    return;
  // An image is a parameter of a kernel and nothing else in PTX, so that what
  // is handed one belongs to the kernel's code.
  for (size_t I = 0; I < Inlined.size(); ++I) {
    inlineAlways(*Inlined[I]);
    for (const User *Each : Inlined[I]->users())
      if (const auto *Call = dyn_cast<CallInst>(Each))
        if (auto *Caller = const_cast<Function *>(Call->getFunction());
            !isKernel(*Caller))
          Inlined.insert(Caller);
  }
  for (Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      noteParameters(F);
}

/// The parameter or the sampler of the module's that \p Handle comes from; null
/// where nothing tells.
static Value *sourceOf(Value *Handle, SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(Handle).second)
    return nullptr;
  if (isa<Argument, GlobalVariable>(Handle))
    return Handle;
  auto *Step = dyn_cast<Instruction>(Handle);
  const unsigned First = isa_and_nonnull<SelectInst>(Step) ? 1 : 0;
  for (unsigned I = First; Step && I < Step->getNumOperands(); ++I)
    if (Value *Source = sourceOf(Step->getOperand(I), Seen))
      return Source;
  return nullptr;
}

namespace {

class NamingImages : public FunctionPass {
public:
  static char ID;
  NamingImages() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "name images"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      std::optional<ImageInstruction> Of =
          Call ? imageInstruction(*Call) : std::nullopt;
      if (!Of)
        continue;
      IRBuilder<> B(Call);
      auto name = [&](unsigned Operand) {
        SmallPtrSet<Value *, 8> Seen;
        Value *Source = sourceOf(Call->getArgOperand(Operand), Seen);
        if (auto *G = dyn_cast_or_null<GlobalVariable>(Source))
          Call->setArgOperand(Operand, handleOf(B, *G));
        else if (Source)
          Call->setArgOperand(Operand,
                              B.CreatePtrToInt(Source, B.getInt64Ty()));
      };
      name(Of->Descriptor);
      if (Of->Sampler)
        name(*Of->Sampler);
    }
    return true;
  }
};

char NamingImages::ID = 0;

} // namespace

FunctionPass *createImageNamingPass() { return new NamingImages(); }

} // namespace clrewrite::measure
