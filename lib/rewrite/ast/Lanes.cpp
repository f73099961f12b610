// Wide vectors and the regions that work on them.
#include "rewrite/ast/Lanes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

unsigned laneCount(QualType T) {
  if (T.isNull())
    return 0;
  const auto *V = T.getCanonicalType()->getAs<ExtVectorType>();
  return V ? V->getNumElements() : 0;
}

QualType laneOf(QualType T) {
  const auto *V = T->getAs<ExtVectorType>();
  return V ? V->getElementType() : T;
}

unsigned variableLanes(QualType T) {
  T = T.getCanonicalType();
  while (const auto *A = dyn_cast<clang::ArrayType>(T.getTypePtr()))
    T = A->getElementType();
  return laneCount(T);
}

bool isPrivate(const VarDecl *V) {
  LangAS Space = V->getType().getAddressSpace();
  return V->hasLocalStorage() &&
         (Space == LangAS::Default || Space == LangAS::opencl_private);
}

std::string LaneName::with(unsigned Other) const {
  return Head + (Other > 1 ? utostr(Other) : "") + Tail;
}

std::optional<LaneName> laneName(llvm::StringRef Name) {
  size_t At = Name.find_first_of("0123456789");
  if (At == llvm::StringRef::npos)
    return std::nullopt;
  LaneName N;
  N.Head = Name.take_front(At).str();
  llvm::StringRef Rest = Name.drop_front(At);
  if (Rest.consumeInteger(10, N.Lanes))
    return std::nullopt;
  N.Tail = Rest.str();
  bool Rounds = Rest.empty() || Rest == "_rte" || Rest == "_rtz" ||
                Rest == "_rtp" || Rest == "_rtn";
  bool Known = is_contained({"vstore_half", "vstorea_half"}, N.Head)
                   ? Rounds
                   : Rest.empty() && is_contained({"vload", "vload_half",
                                                   "vloada_half", "vstore"},
                                                  N.Head);
  if (Name.starts_with("convert_")) {
    Rest.consume_front("_sat");
    Known = Rest.empty() || Rest == "_rte" || Rest == "_rtz" ||
            Rest == "_rtp" || Rest == "_rtn";
  }
  return Known ? std::optional(N) : std::nullopt;
}

std::string laterLanes(llvm::StringRef Name, unsigned Fewer, unsigned Lanes) {
  std::string Out;
  for (unsigned At = Fewer; At < Lanes;) {
    unsigned Run = bit_floor(Lanes - At);
    Out += Name.str() + ".s";
    for (unsigned End = At + Run; At < End; ++At)
      Out += hexdigit(At, /*LowerCase=*/true);
    Out += ", ";
  }
  return Out;
}

bool isLaneTest(llvm::StringRef Name) {
  return is_contained({"isequal", "isnotequal", "isgreater", "isgreaterequal",
                       "isless", "islessequal", "islessgreater", "isfinite",
                       "isinf", "isnan", "isnormal", "isordered", "isunordered",
                       "signbit", "select"},
                      Name);
}

bool isLaneWise(llvm::StringRef Name) {
  Name.consume_front("native_") || Name.consume_front("half_");
  return isLaneTest(Name) ||
         is_contained(
             {// Integers.
              "abs", "abs_diff", "add_sat", "hadd", "rhadd", "clamp", "clz",
              "ctz", "mad_hi", "mad_sat", "max", "min", "mul_hi", "rotate",
              "sub_sat", "upsample", "popcount", "mad24", "mul24", "bitselect",
              // Common functions.
              "degrees", "mix", "radians", "step", "smoothstep", "sign",
              // Mathematics without pointers.
              "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan",
              "atan2", "atanh", "atanpi", "atan2pi", "cbrt", "ceil", "copysign",
              "cos", "cosh", "cospi", "erfc", "erf", "exp", "exp2", "exp10",
              "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod",
              "hypot", "ilogb", "ldexp", "lgamma", "log", "log2", "log10",
              "log1p", "logb", "mad", "maxmag", "minmag", "nan", "nextafter",
              "pow", "pown", "powr", "remainder", "rint", "rootn", "round",
              "rsqrt", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi",
              "tgamma", "trunc", "divide", "recip"},
             Name);
}

bool mayRoundByWidth(llvm::StringRef Name) {
  if (Name.starts_with("native_") || Name.starts_with("half_"))
    return true;
  return is_contained(
      {"acos",  "acosh",  "acospi", "asin",    "asinh", "asinpi", "atan",
       "atan2", "atanh",  "atanpi", "atan2pi", "cbrt",  "cos",    "cosh",
       "cospi", "erfc",   "erf",    "exp",     "exp2",  "exp10",  "expm1",
       "hypot", "lgamma", "log",    "log2",    "log10", "log1p",  "pow",
       "pown",  "powr",   "rootn",  "rsqrt",   "sin",   "sinh",   "sinpi",
       "tan",   "tanh",   "tanpi",  "tgamma"},
      Name);
}

namespace {

/// The lane counts that can be divided.
bool divides(unsigned Lanes) {
  return Lanes == 2 || Lanes == 4 || Lanes == 8 || Lanes == 16;
}

using Variables = SmallPtrSet<const VarDecl *, 8>;

/// What a piece of a function has to do with vectors.
struct Vectors {
  unsigned Widest = 0;
  Variables Declared;
  std::vector<std::pair<const VarDecl *, unsigned>> Used;
  unsigned Returned = 0; ///< lanes of a returned vector

  void add(unsigned Lanes) {
    if (divides(Lanes))
      Widest = std::max(Widest, Lanes);
  }
  /// A vector of the widest kind comes from outside, or goes there.
  bool open() const {
    return Returned == Widest || any_of(Used, [&](const auto &U) {
             return U.second == Widest && !Declared.contains(U.first);
           });
  }
};

/// Fills in \p V; with \p Apart without the nested blocks that are closed.
void gather(const Stmt *S, bool Apart, Vectors &V) {
  if (!S)
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(S); Block && Apart) {
    Vectors Inner;
    gather(Block, /*Apart=*/false, Inner);
    if (!Inner.open())
      return;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : D->decls())
      if (const auto *Var = dyn_cast<VarDecl>(Each)) {
        V.Declared.insert(Var->getCanonicalDecl());
        if (isPrivate(Var))
          V.add(variableLanes(Var->getType()));
      }
  // &q[i] is a pointer; the vector there is not used.
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->getOpcode() == UO_AddrOf) {
    for (const Stmt *Child : U->getSubExpr()->IgnoreParens()->children())
      gather(Child, Apart, V);
    return;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S); R && R->getRetValue())
    V.Returned = std::max(V.Returned, laneCount(R->getRetValue()->getType()));
  if (const auto *E = dyn_cast<Expr>(S))
    V.add(laneCount(E->getType()));
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && isPrivate(Var))
      if (unsigned Lanes = variableLanes(Var->getType()))
        V.Used.push_back({Var->getCanonicalDecl(), Lanes});
  for (const Stmt *Child : S->children())
    gather(Child, Apart, V);
}

/// Declares a variable that all work-items of a group, or of all, share.
bool declaresShared(const Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && any_of(D->decls(), [](const Decl *Each) {
           const auto *V = dyn_cast<VarDecl>(Each);
           return V && !isPrivate(V);
         });
}

} // namespace

std::optional<LaneRegion> laneRegion(const CompoundStmt *Block,
                                     ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*Block);
  const auto *Function =
      Parents.empty() ? nullptr : Parents[0].get<FunctionDecl>();
  Vectors All;
  gather(Block, /*Apart=*/false, All);
  bool Kernel = Function && Function->hasAttr<DeviceKernelAttr>();
  if (!All.Widest || (All.open() && !Kernel))
    return std::nullopt;

  std::vector<std::pair<const Stmt *, unsigned>> Parts;
  LaneRegion R;
  R.Block = Block;
  for (const Stmt *S : Block->body()) {
    Vectors V;
    if (!declaresShared(S))
      gather(S, /*Apart=*/true, V);
    R.Lanes = std::max(R.Lanes, V.Widest);
    Parts.push_back({S, V.Widest});
  }
  auto concerns = [&](const auto &P) { return P.second == R.Lanes; };
  auto First = find_if(Parts, concerns);
  if (!R.Lanes || First == Parts.end())
    return std::nullopt;
  auto Last = std::find_if(Parts.rbegin(), Parts.rend(), concerns).base();
  for (auto It = First; It != Last; ++It)
    R.Statements.push_back(It->first);
  return R;
}

} // namespace clrewrite::rewrite
