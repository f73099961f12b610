// align-access: vloadN and vstoreN become plain vector accesses where the
// address is aligned to the vector.
//
// vloadN and vstoreN promise the alignment of an element only, so a device
// without unaligned vector access moves element by element: eight loads of
// ushort where one load of 16 bytes would do. Mostly the address is aligned,
// and nothing in the source says so.
//
// Each access of a function is given to a function of its own:
//   vload8(i, p)  ->  box_sum_load_ushort8(i, p)
// which stands before the one that calls it, so that every argument is still
// evaluated once and the edit of an access is its name. That function is
//   tested  the plain access if the address says that it is aligned, else the
//           same elements as two halves (an `else` with vload8 itself would be
//           lost: LLVM joins two loads of one address and keeps the smaller
//           alignment);
//   plain   the plain access alone, which assumes that it is aligned.
#include "rewrite/Alignment.h"
#include "rewrite/Conditions.h"
#include "rewrite/Rewrite.h"
#include "rewrite/Text.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

/// A call of a built-in vloadN or vstoreN.
struct Access {
  const CallExpr *Call = nullptr;
  bool Store = false;
  unsigned Lanes = 0;
  QualType Vector;
  const Expr *Pointer = nullptr;

  QualType element() const {
    return Vector->castAs<clang::ExtVectorType>()->getElementType();
  }
  /// What the pointer leads to, before it becomes what the built-in function
  /// takes: from OpenCL C 2.0 on that is a pointer to the generic space.
  QualType pointee() const {
    const Expr *E = Pointer;
    while (true) {
      const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      if (const auto *P = dyn_cast<ParenExpr>(E))
        E = P->getSubExpr();
      else if (Cast && Cast->getSubExpr()->getType()->isPointerType() &&
               Cast->getCastKind() != CK_LValueToRValue)
        E = Cast->getSubExpr();
      else
        return E->getType()->getPointeeType();
    }
  }
  LangAS space() const { return pointee().getAddressSpace(); }
};

std::optional<Access> accessOf(const CallExpr *Call) {
  StringRef Name = calleeName(Call);
  Access A;
  A.Call = Call;
  A.Store = Name.consume_front("vstore");
  if ((!A.Store && !Name.consume_front("vload")) ||
      !is_contained({"2", "3", "4", "8", "16"}, Name) || !isBuiltinCall(Call) ||
      Call->getNumArgs() != (A.Store ? 3u : 2u))
    return std::nullopt;
  Name.getAsInteger(10, A.Lanes);
  // The language's name of the type, not the program's.
  A.Vector = (A.Store ? Call->getArg(0)->getType() : Call->getType())
                 .getCanonicalType();
  A.Pointer = Call->getArg(A.Store ? 2 : 1);
  return A.Vector->isExtVectorType() ? std::optional(A) : std::nullopt;
}

/// The same pointer whatever casts stand around it.
const Expr *bare(const Expr *Pointer) { return Pointer->IgnoreParenCasts(); }

/// The accesses of a function whose address it does not test already.
class Accesses : public RecursiveASTVisitor<Accesses> {
public:
  static std::vector<Access> of(const FunctionDecl &F,
                                const ASTContext &Context) {
    Accesses A;
    A.TraverseStmt(F.getBody());
    erase_if(A.Found, [&](const Access &Each) {
      return any_of(A.Tested, [&](const Expr *E) {
        return sameExpression(bare(Each.Pointer), E, Context);
      });
    });
    return std::move(A.Found);
  }

  bool VisitCallExpr(CallExpr *Call) {
    if (std::optional<Access> A = accessOf(Call))
      Found.push_back(*A);
    return true;
  }
  bool VisitCastExpr(CastExpr *C) {
    if (C->getCastKind() == CK_PointerToIntegral)
      Tested.push_back(bare(C->getSubExpr()));
    return true;
  }

private:
  std::vector<Access> Found;
  std::vector<const Expr *> Tested;
};

AST_MATCHER(FunctionDecl, accessesVectors) {
  return Node.doesThisDeclarationHaveABody() &&
         !Accesses::of(Node, Finder->getASTContext()).empty();
}

StringRef spelledSpace(LangAS Space) {
  switch (Space) {
  case LangAS::opencl_global:
    return "__global";
  case LangAS::opencl_constant:
    return "__constant";
  case LangAS::opencl_local:
    return "__local";
  default:
    return "";
  }
}

const Expr *calleeOf(const Access &A) {
  return A.Call->getCallee()->IgnoreParenImpCasts();
}

/// The callee's name is the user's text.
bool isWritten(const Access &A, const ASTContext &Context) {
  SourceRange Name = calleeOf(A)->getSourceRange();
  return Name.getBegin().isFileID() && text(Name, Context);
}

bool hasPlainTwin(const Access &A) {
  return A.Lanes != 3 && !spelledSpace(A.space()).empty() &&
         !A.pointee().isVolatileQualified();
}

/// A built-in function of half the vector's width; empty for one element.
std::string halfLoad(const Access &A) {
  return A.Lanes == 2 ? "" : "vload" + utostr(A.Lanes / 2);
}

/// The names that the new functions use are the language's.
bool namesAreOpenCL(const Access &A, const ASTContext &Context) {
  for (const std::string &Name :
       {std::string("size_t"), std::string("uintptr_t"),
        spelledType(A.Vector, Context), spelledType(A.element(), Context)})
    if (Context.Idents.get(Name).hadMacroDefinition())
      return false;
  std::string Other = A.Store ? "vstore" + utostr(A.Lanes) : halfLoad(A);
  return Other.empty() || meansBuiltin(Other, Context);
}

std::vector<Access> written(const Site &S) {
  std::vector<Access> List = Accesses::of(S.Function, S.Context);
  erase_if(List, [&](const Access &A) { return !isWritten(A, S.Context); });
  return List;
}

std::vector<Access> plainTwins(const Site &S) {
  std::vector<Access> List = written(S);
  erase_if(List, [](const Access &A) { return !hasPlainTwin(A); });
  return List;
}

std::vector<Access> convertible(const Site &S) {
  std::vector<Access> List = plainTwins(S);
  erase_if(List,
           [&](const Access &A) { return !namesAreOpenCL(A, S.Context); });
  return List;
}

bool someIsWritten(const Site &S) { return !written(S).empty(); }
bool someHasPlainTwin(const Site &S) { return !plainTwins(S).empty(); }
bool someIsConvertible(const Site &S) { return !convertible(S).empty(); }
bool headIsPlain(const Site &S) {
  return headOf(S.Function, S.Context).has_value();
}

enum class Form { Tested, Plain };

/// Writes the alternatives for one function.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Aligned(S.Function, S.Context), List(convertible(S)),
        Value(parameter("value")), Index(parameter("index")),
        Pointer(parameter("at")) {}

  std::vector<Alternative> all() {
    std::vector<Alternative> Out;
    auto isOwn = [&](const Access &A) { return bufferOf(A) != nullptr; };
    Out.push_back(
        alternative("tested", [](const Access &) { return Form::Tested; }));
    if (any_of(List, isOwn))
      Out.push_back(alternative("plain", [&](const Access &A) {
        return isOwn(A) ? Form::Plain : Form::Tested;
      }));
    if (!all_of(List, isOwn))
      Out.push_back(
          alternative("plain-all", [](const Access &) { return Form::Plain; }));
    return Out;
  }

private:
  const Site &S;
  Alignment Aligned;
  std::vector<Access> List;
  std::string Value, Index, Pointer; ///< parameters of the new functions

  /// The host's buffer of which \p A is a whole multiple of vectors away.
  const ParmVarDecl *bufferOf(const Access &A) const {
    return A.space() == LangAS::opencl_local
               ? nullptr
               : Aligned.buffer(A.Pointer, A.Lanes);
  }

  /// A name for a parameter that no macro takes away.
  std::string parameter(StringRef Name) const {
    return S.Context.Idents.get(Name).hadMacroDefinition()
               ? freshName(Name, S.Context)
               : Name.str();
  }

  std::string name(const Access &A, Form F) const {
    StringRef Space = spelledSpace(A.space()).drop_front(2);
    return freshName((S.Function.getName() + (A.Store ? "_store_" : "_load_") +
                      (F == Form::Plain ? "aligned_" : "") +
                      (Space == "global" ? Twine() : Twine(Space) + "_") +
                      spelledType(A.Vector, S.Context))
                         .str(),
                     S.Context);
  }

  /// The elements of \p A by two accesses of half its width.
  std::string halves(const Access &A) const {
    std::string First = "2 * " + Index, Second = First + " + 1";
    std::string Load = halfLoad(A);
    auto half = [&](const std::string &At) {
      return Load.empty() ? Pointer + "[" + At + "]"
                          : Load + "(" + At + ", " + Pointer + ")";
    };
    return half(First) + ", " + half(Second);
  }

  /// A function that is not seen outside makes no name that is.
  std::string specifiers() const {
    return std::string(S.Function.isStatic() ? "static " : "") +
           (S.Function.isInlineSpecified() ? "inline " : "");
  }

  std::string function(const Access &A, Form F) const {
    std::string Type = spelledType(A.Vector, S.Context);
    std::string Space =
        (A.Store ? "" : "const ") + spelledSpace(A.space()).str();
    if (A.space() == LangAS::opencl_constant)
      Space = "__constant"; // const already
    std::string Plain =
        "((" + Space + " " + Type + " *)" + Pointer + ")[" + Index + "]";
    std::string Out =
        specifiers() + (A.Store ? "void " : Type + " ") + name(A, F) + "(";
    std::string Wrap = ",\n" + std::string(Out.size(), ' ');
    std::string First =
        (A.Store ? Type + " " + Value + ", " : "") + "size_t " + Index;
    std::string Last = Space + " " + spelledType(A.element(), S.Context) +
                       " *" + Pointer + ") {\n";
    bool Fits = Out.size() + First.size() + Last.size() + 1 <= 80;
    Out += First + (Fits ? ", " : Wrap) + Last;
    if (F == Form::Tested)
      Out += "  if (((uintptr_t)" + Pointer + " & (sizeof(" + Type +
             ") - 1)) == 0)\n  ";
    Out += A.Store ? "  " + Plain + " = " + Value + ";\n"
                   : "  return " + Plain + ";\n";
    if (F == Form::Tested)
      Out += A.Store ? "  else\n    vstore" + utostr(A.Lanes) + "(" + Value +
                           ", " + Index + ", " + Pointer + ");\n"
                     : "  return (" + Type + ")(" + halves(A) + ");\n";
    return Out + "}\n";
  }

  Alternative alternative(StringRef Label,
                          function_ref<Form(const Access &)> FormOf) const {
    Alternative Out;
    Out.Label = Label.str();
    std::map<std::string, std::string> Functions;
    std::vector<Access> Assumed;
    for (const Access &A : List) {
      Form F = FormOf(A);
      if (F == Form::Plain)
        Assumed.push_back(A);
      Functions[name(A, F)] = function(A, F);
      Out.Changes.push_back(
          replacement(calleeOf(A)->getSourceRange(), name(A, F), S.Context));
    }
    if (!Assumed.empty()) {
      Out.Class = Safety::Assumes;
      Out.Note = note(Assumed);
    }
    std::string Text;
    for (const auto &[Name, Function] : Functions)
      Text += Function + "\n";
    Out.Changes.push_back(
        Edit{*headOf(S.Function, S.Context), 0, std::move(Text)});
    return Out;
  }

  std::string note(ArrayRef<Access> Assumed) const {
    std::map<unsigned, std::vector<std::string>> Buffers, Addresses;
    for (const Access &A : Assumed) {
      unsigned Bytes = unsigned(S.Context.getTypeSize(A.Vector) / 8);
      const ParmVarDecl *P = bufferOf(A);
      std::string Name =
          P ? P->getNameAsString() : spelled(A.Pointer, S.Context);
      std::vector<std::string> &Into = (P ? Buffers : Addresses)[Bytes];
      if (!is_contained(Into, Name))
        Into.push_back(Name);
    }
    std::vector<std::string> Parts;
    for (const auto &[Bytes, Names] : Buffers)
      Parts.push_back(listed("the buffer", Names) +
                      (Names.size() > 1 ? " start" : " starts") +
                      " at a multiple of " + utostr(Bytes) +
                      " bytes, as memory objects do (an SVM pointer, or host "
                      "memory in use, may not)");
    for (const auto &[Bytes, Names] : Addresses)
      Parts.push_back(
          listed("the address", Names, "es") +
          (Names.size() > 1 ? " are multiples of " : " is a multiple of ") +
          utostr(Bytes) + " bytes");
    return join(Parts, ", ");
  }

  static std::string listed(StringRef What, ArrayRef<std::string> Names,
                            StringRef Plural = "s") {
    std::string Out = (What + (Names.size() > 1 ? Plural : "")).str();
    for (const std::string &N : Names)
      Out += (&N == Names.begin() ? " '" : ", '") + N + "'";
    return Out;
  }
};

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).all(); }

} // namespace

const Rewrite &rewriteAlignAccess() {
  static const Rewrite R{
      "align-access",
      "access vectors whole where their address is aligned",
      Safety::Exact,
      functionDecl(accessesVectors()).bind("site"),
      {{"every vloadN and vstoreN comes from a macro", someIsWritten},
       {"no vloadN or vstoreN is of 2, 4, 8 or 16 elements, not volatile, in "
        "global, local or constant memory",
        someHasPlainTwin},
       {"the program gives another meaning to size_t, uintptr_t, vloadN or the "
        "vector's type",
        someIsConvertible},
       {"a directive other than #if stands in the function's head, or its "
        "braces do not pair",
        headIsPlain}},
      alternatives};
  return R;
}

} // namespace clrewrite
