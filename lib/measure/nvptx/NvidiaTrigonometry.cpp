// sin and cos as NVIDIA's compiler has them: some thirty instructions, and
// behind a branch that few numbers take another ninety.
//
// NVIDIA's OpenCL driver 580.159.04 has this in PTX: quarters of a turn are
// taken off the number by three fused products (Cody and Waite), or, beyond
// 105615, by the digits of 2 / pi (Payne and Hanek); a polynomial whose
// coefficients the quarter chooses gives the sine. The code below does the
// same, with coefficients of a least-squares fit of its own (7e-8 is the most
// by which it is off). That taking the quarters off counts as one call while
// loops are unrolled was seen in bench/unroll.py: sixteen turns with a sine are
// unrolled in full, and twenty-five are not.
#include "measure/nvptx/NvidiaTrigonometry.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr StringLiteral Reduced = "clrewrite.reduced", Far = "clrewrite.far",
                        Sine = "clrewrite.sine";

constexpr char SineIr[] = R"(
; 2 / pi in binary, 32 digits a word, the least ones first.
@clrewrite.turns = internal unnamed_addr addrspace(1) constant [6 x i32]
    [i32 1011060801, i32 -614296167, i32 -181084736, i32 -64530479,
     i32 1313084713, i32 -1560706194]

declare float @llvm.fabs.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.rint.f32(float)
declare i32 @llvm.fshl.i32(i32, i32, i32)

; What is left of x, and how many quarters of a turn were taken off it.
define { float, i32 } @clrewrite.reduced(float %x) #1 {
  %quarters = fmul float %x, 0x3FE45F3060000000
  %nearest = call float @llvm.rint.f32(float %quarters)
  %count = fptosi float %nearest to i32
  %number = sitofp i32 %count to float
  %once = call float @llvm.fma.f32(float %number, float 0xBFF921FB60000000, float %x)
  %twice = call float @llvm.fma.f32(float %number, float 0x3E6777A5C0000000, float %once)
  %left = call float @llvm.fma.f32(float %number, float 0x3CDEE59DA0000000, float %twice)
  %size = call float @llvm.fabs.f32(float %x)
  %isnear = fcmp ule float %size, 1.056150e+05
  br i1 %isnear, label %done, label %far, !clrewrite.seldom !0
far:
  %isinfinite = fcmp oeq float %size, 0x7FF0000000000000
  br i1 %isinfinite, label %infinite, label %finite
infinite:
  %nan = fmul float %x, 0.0
  br label %done
finite:
  %reduced = call { float, i32 } @clrewrite.far(float %x)
  %farleft = extractvalue { float, i32 } %reduced, 0
  %farcount = extractvalue { float, i32 } %reduced, 1
  br label %done
done:
  %r = phi float [ %left, %0 ], [ %nan, %infinite ], [ %farleft, %finite ]
  %q = phi i32 [ %count, %0 ], [ 0, %infinite ], [ %farcount, %finite ]
  %first = insertvalue { float, i32 } poison, float %r, 0
  %both = insertvalue { float, i32 } %first, i32 %q, 1
  ret { float, i32 } %both
}

; The same of a large x, by the digits of 2 / pi that matter (Payne and Hanek).
define { float, i32 } @clrewrite.far(float %x) #0 {
entry:
  %words = alloca [7 x i32], align 4
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 23
  %biased = and i32 %shifted, 255
  %exponent = add i32 %biased, -128
  %fraction = shl i32 %bits, 8
  %one = or i32 %fraction, -2147483648
  %wide = zext i32 %one to i64
  br label %digits
digits:
  %i = phi i32 [ 0, %entry ], [ %next, %digits ]
  %carry = phi i64 [ 0, %entry ], [ %high, %digits ]
  %from = getelementptr inbounds [6 x i32], ptr addrspace(1) @clrewrite.turns, i32 0, i32 %i
  %word = load i32, ptr addrspace(1) %from, align 4
  %factor = zext i32 %word to i64
  %product = mul nuw i64 %factor, %wide
  %sum = add nuw i64 %product, %carry
  %low = trunc i64 %sum to i32
  %high = lshr i64 %sum, 32
  %to = getelementptr inbounds [7 x i32], ptr %words, i32 0, i32 %i
  store i32 %low, ptr %to, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ne i32 %next, 6
  br i1 %more, label %digits, label %made, !llvm.loop !1
made:
  %top = trunc i64 %high to i32
  %last = getelementptr inbounds [7 x i32], ptr %words, i32 0, i32 6
  store i32 %top, ptr %last, align 4
  %skipped = lshr i32 %exponent, 5
  %at = sub i32 6, %skipped
  %p = getelementptr inbounds i32, ptr %words, i32 %at
  %hi = load i32, ptr %p, align 4
  %p1 = getelementptr inbounds i32, ptr %p, i32 -1
  %lo = load i32, ptr %p1, align 4
  %by = and i32 %exponent, 31
  %iswhole = icmp eq i32 %by, 0
  br i1 %iswhole, label %aligned, label %apart
apart:
  %p2 = getelementptr inbounds i32, ptr %p, i32 -2
  %rest = load i32, ptr %p2, align 4
  %back = sub i32 32, %by
  %ha = shl i32 %hi, %by
  %hb = lshr i32 %lo, %back
  %hc = add i32 %ha, %hb
  %la = shl i32 %lo, %by
  %lb = lshr i32 %rest, %back
  %lc = add i32 %la, %lb
  br label %aligned
aligned:
  %h = phi i32 [ %hi, %made ], [ %hc, %apart ]
  %l = phi i32 [ %lo, %made ], [ %lc, %apart ]
  %sign = and i32 %bits, -2147483648
  %point = call i32 @llvm.fshl.i32(i32 %h, i32 %l, i32 2)
  %up = lshr i32 %point, 31
  %quarter = lshr i32 %h, 30
  %q = add i32 %quarter, %up
  %minusq = sub i32 0, %q
  %ispositive = icmp eq i32 %sign, 0
  %count = select i1 %ispositive, i32 %q, i32 %minusq
  %isup = icmp ne i32 %up, 0
  %othersign = xor i32 %sign, -2147483648
  %ownsign = select i1 %isup, i32 %othersign, i32 %sign
  %flip = select i1 %isup, i32 -1, i32 0
  %ph = xor i32 %point, %flip
  %end = shl i32 %l, 2
  %pl = xor i32 %end, %flip
  %ph64 = zext i32 %ph to i64
  %pl64 = zext i32 %pl to i64
  %ph32 = shl nuw i64 %ph64, 32
  %fixed = or i64 %ph32, %pl64
  %double = sitofp i64 %fixed to double
  %angle = fmul double %double, 0x3BF921FB54442D18
  %float = fptrunc double %angle to float
  %isleft = icmp eq i32 %ownsign, 0
  %minus = fneg float %float
  %r = select i1 %isleft, float %float, float %minus
  %first = insertvalue { float, i32 } poison, float %r, 0
  %both = insertvalue { float, i32 } %first, i32 %count, 1
  ret { float, i32 } %both
}

; The sine of r and q quarters of a turn.
define float @clrewrite.sine(float %r, i32 %q) {
  %bit = and i32 %q, 1
  %iseven = icmp eq i32 %bit, 0
  %of = select i1 %iseven, float %r, float 1.0
  %s = fmul float %r, %r
  br i1 %iseven, label %joined, label %odd
odd:
  %longer = call float @llvm.fma.f32(float %s, float 0x3EF992ED40000000, float 0xBF56C08640000000)
  br label %joined
joined:
  %c3 = phi float [ 0xBF299477A0000000, %0 ], [ %longer, %odd ]
  %k2 = select i1 %iseven, float 0x3F81107460000000, float 0x3FA55553E0000000
  %c2 = call float @llvm.fma.f32(float %c3, float %s, float %k2)
  %k1 = select i1 %iseven, float 0xBFC5555460000000, float 0xBFE0000000000000
  %c1 = call float @llvm.fma.f32(float %c2, float %s, float %k1)
  %t = call float @llvm.fma.f32(float %s, float %of, float 0.0)
  %value = call float @llvm.fma.f32(float %c1, float %t, float %of)
  %half = and i32 %q, 2
  %isfirst = icmp eq i32 %half, 0
  br i1 %isfirst, label %end, label %second
second:
  %turned = call float @llvm.fma.f32(float %value, float -1.0, float 0.0)
  br label %end
end:
  %out = phi float [ %value, %joined ], [ %turned, %second ]
  ret float %out
}

attributes #0 = { noinline nounwind willreturn memory(none) }
attributes #1 = { noinline nounwind optnone willreturn memory(inaccessiblemem: readwrite) }
!0 = !{i1 true}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
)";

/// Adds what the functions below call to \p M.
void addParts(Module &M) {
  SMDiagnostic Error;
  LLVMContext &Context = M.getContext();
  bool NoNames = Context.shouldDiscardValueNames();
  Context.setDiscardValueNames(false); // SineIr has some
  std::unique_ptr<Module> Parts = parseAssemblyString(SineIr, Error, Context);
  Context.setDiscardValueNames(NoNames);
  if (!Parts)
    report_fatal_error(Error.getMessage());
  Parts->setDataLayout(M.getDataLayout());
  Parts->setTargetTriple(M.getTargetTriple());
  Linker::linkModules(M, std::move(Parts));
  for (StringRef Name : {Reduced, Far, Sine})
    M.getFunction(Name)->setLinkage(GlobalValue::InternalLinkage);
  M.getFunction(Sine)->addFnAttr(Attribute::AlwaysInline);
}

/// A number without its quarters of a turn, and how many these are.
struct Angle {
  Value *Left, *Quarters;
};

Angle reduced(IRBuilder<> &B, Module &M, Value *X) {
  Value *Both = B.CreateCall(M.getFunction(Reduced), {X});
  return {B.CreateExtractValue(Both, 0), B.CreateExtractValue(Both, 1)};
}

/// The sine of \p A and \p More quarters of a turn.
Value *sine(IRBuilder<> &B, Module &M, const Angle &A, unsigned More) {
  Value *Quarters =
      More ? B.CreateAdd(A.Quarters, B.getInt32(More)) : A.Quarters;
  return B.CreateCall(M.getFunction(Sine), {A.Left, Quarters});
}

/// The sine of each lane of \p F's argument if \p Quarters is 0, the cosine if
/// it is 1. Where \p F has a second argument, the cosine goes there.
void define(Function &F, unsigned Quarters) {
  Module &M = *F.getParent();
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
  Value *X = F.getArg(0);
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  Value *Out = PoisonValue::get(X->getType()), *Other = Out;
  for (unsigned I = 0, N = Vector ? Vector->getNumElements() : 1; I < N; ++I) {
    auto set = [&](Value *&Of, Value *Lane) {
      Of = Vector ? B.CreateInsertElement(Of, Lane, I) : Lane;
    };
    Angle A = reduced(B, M, Vector ? B.CreateExtractElement(X, I) : X);
    set(Out, sine(B, M, A, Quarters));
    if (F.arg_size() == 2)
      set(Other, sine(B, M, A, 1));
  }
  if (F.arg_size() == 2)
    B.CreateStore(Other, F.getArg(1));
  B.CreateRet(Out);
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::AlwaysInline);
}

/// sin and sincos: 0; cos: 1; nothing for what else is not defined here. Names
/// are mangled: _Z3cosDv4_f, _Z6sincosfPU3AS1f.
std::optional<unsigned> quartersOf(const Function &F) {
  Type *T = F.getReturnType();
  if (!F.isDeclaration() || !T->getScalarType()->isFloatTy() || F.arg_empty() ||
      F.getArg(0)->getType() != T)
    return std::nullopt;
  StringRef Name = F.getName();
  bool IsOne = F.arg_size() == 1;
  if (IsOne ? Name.starts_with("_Z3sin")
            : F.arg_size() == 2 && Name.starts_with("_Z6sincos") &&
                  F.getArg(1)->getType()->isPointerTy())
    return 0;
  return IsOne && Name.starts_with("_Z3cos") ? std::optional(1u) : std::nullopt;
}

/// Computes what is left of numbers that the compiler knows.
class FoldingConstants : public PassInfoMixin<FoldingConstants> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    bool HasChanged = false;
    const Function *Reducing = F.getParent()->getFunction(Reduced);
    if (!Reducing)
      return PreservedAnalyses::all();
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      auto *Number = Call && Call->getCalledFunction() == Reducing
                         ? dyn_cast<ConstantFP>(Call->getArgOperand(0))
                         : nullptr;
      if (!Number || !Number->getValueAPF().isFinite())
        continue;
      constexpr long double Quarter = 1.57079632679489661923L;
      long double X = Number->getValueAPF().convertToFloat();
      long double Quarters = std::rint(X / Quarter);
      auto *Type = cast<StructType>(Call->getType());
      Call->replaceAllUsesWith(ConstantStruct::get(
          Type,
          ConstantFP::get(Type->getElementType(0),
                          double(X - Quarters * Quarter)),
          ConstantInt::get(Type->getElementType(1),
                           uint64_t(std::fmod(Quarters, 4) + 4) & 3)));
      Call->eraseFromParent();
      HasChanged = true;
    }
    return HasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Puts what takes the turns off where it is called, as loops are unrolled.
class InliningReduced : public PassInfoMixin<InliningReduced> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!M.getFunction(Reduced))
      return PreservedAnalyses::all();
    for (StringRef Name : {Reduced, Far})
      if (Function *F = M.getFunction(Name)) {
        F->removeFnAttr(Attribute::OptimizeNone);
        F->removeFnAttr(Attribute::NoInline);
        F->addFnAttr(Attribute::AlwaysInline);
      }
    return AlwaysInlinerPass().run(M, MAM);
  }
};

} // namespace

void defineTrigonometry(Module &M) {
  std::vector<std::pair<Function *, unsigned>> Found;
  for (Function &F : M)
    if (std::optional<unsigned> Quarters = quartersOf(F))
      Found.push_back({&F, *Quarters});
  if (!Found.empty())
    addParts(M);
  for (auto [F, Quarters] : Found)
    define(*F, Quarters);
}

void inlineTrigonometry(PassBuilder &Passes) {
  Passes.registerPeepholeEPCallback([](FunctionPassManager &FPM, auto...) {
    FPM.addPass(FoldingConstants());
  });
  Passes.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, auto...) { MPM.addPass(InliningReduced()); });
}

} // namespace clrewrite::measure
