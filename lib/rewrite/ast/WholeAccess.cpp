// vloadN and vstoreN, and functions that access the same vector whole.
//
// The function that tests reads and writes in halves where the address is not
// aligned. vloadN itself would be lost there: LLVM joins two loads of one
// address, and keeps the smaller alignment.
#include "rewrite/ast/WholeAccess.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

QualType VectorAccess::element() const {
  return Vector->castAs<clang::ExtVectorType>()->getElementType();
}

QualType VectorAccess::pointee() const {
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

std::optional<VectorAccess> vectorAccessOf(const CallExpr *Call) {
  StringRef Name = calleeName(Call);
  VectorAccess A;
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

bool hasPlainTwin(const VectorAccess &A) {
  return A.Lanes != 3 && !spelledSpace(A.space()).empty() &&
         !A.pointee().isVolatileQualified();
}

/// A built-in function of half the vector's width; empty for one element.
static std::string halfLoad(const VectorAccess &A) {
  return A.Lanes == 2 ? "" : "vload" + utostr(A.Lanes / 2);
}

std::string spelledElement(const VectorAccess &A, const ASTContext &Context) {
  return A.Element.empty() ? spelledType(A.element(), Context) : A.Element;
}
std::string spelledVector(const VectorAccess &A, const ASTContext &Context) {
  return A.VectorName.empty() ? spelledType(A.Vector, Context) : A.VectorName;
}

bool namesAreOpenCL(const VectorAccess &A, const ASTContext &Context) {
  std::vector<std::string> Names{"size_t", "uintptr_t"};
  if (A.Element.empty())
    Names.insert(Names.end(), {spelledType(A.Vector, Context),
                               spelledType(A.element(), Context)});
  for (const std::string &Name : Names)
    if (Context.Idents.get(Name).hadMacroDefinition())
      return false;
  std::string Other = A.Store ? "vstore" + utostr(A.Lanes) : halfLoad(A);
  return Other.empty() || meansBuiltin(Other, Context);
}

/// With the qualifiers of what is accessed.
static std::string qualified(const std::string &Type, const VectorAccess &A) {
  bool Const = !A.Store && A.space() != LangAS::opencl_constant; // already
  return (Const ? "const " : "") + spelledSpace(A.space()).str() + " " + Type;
}

std::string spelledPointer(const VectorAccess &A, const ASTContext &Context) {
  return qualified(spelledElement(A, Context), A) + " *";
}

WholeAccess::WholeAccess(const FunctionDecl &Function,
                         const ASTContext &Context)
    : Function(Function), Context(Context), Value(parameter("value")),
      Index(parameter("index")), Pointer(parameter("at")) {}

/// A name for a parameter that no macro takes away, in this build or in one
/// with an option that a directive asks for.
std::string WholeAccess::parameter(StringRef Name) const {
  IdentifierInfo &Word = Context.Idents.get(Name);
  const bool IsTaken =
      Word.hadMacroDefinition() ||
      !Context.getTranslationUnitDecl()->lookup(&Word).empty() ||
      MacroStability::of(Context).isInDirective(Name);
  return IsTaken ? freshName(Name, Context) : Name.str();
}

std::string WholeAccess::name(const VectorAccess &A, Form F) const {
  StringRef Space = spelledSpace(A.space()).drop_front(2);
  return freshName((Function.getName() + (A.Store ? "_store_" : "_load_") +
                    (F == Form::Plain ? "aligned_" : "") +
                    (Space == "global" ? Twine() : Twine(Space) + "_") +
                    (A.Element.empty() ? spelledType(A.Vector, Context)
                                       : A.Element + utostr(A.Lanes)))
                       .str(),
                   Context);
}

/// The elements of \p A by two accesses of half its width.
std::string WholeAccess::halves(const VectorAccess &A) const {
  std::string First = "2 * " + Index, Second = First + " + 1";
  std::string Load = halfLoad(A);
  auto half = [&](const std::string &At) {
    return Load.empty() ? Pointer + "[" + At + "]"
                        : Load + "(" + At + ", " + Pointer + ")";
  };
  return half(First) + ", " + half(Second);
}

std::string WholeAccess::function(const VectorAccess &A, Form F) const {
  std::string Type = spelledVector(A, Context);
  std::string Plain =
      "((" + qualified(Type, A) + " *)" + Pointer + ")[" + Index + "]";
  std::string Out = specifiersFor(Function) + (A.Store ? "void " : Type + " ") +
                    name(A, F) + "(";
  std::string Wrap = ",\n" + std::string(Out.size(), ' ');
  std::string First =
      (A.Store ? Type + " " + Value + ", " : "") + "size_t " + Index;
  std::string Last = spelledPointer(A, Context) + Pointer + ") {\n";
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

std::string WholeAccess::declaration(const VectorAccess &A) const {
  return "typedef " + spelledElement(A, Context) + " " +
         spelledVector(A, Context) + " __attribute__((ext_vector_type(" +
         utostr(A.Lanes) + ")));\n";
}

} // namespace clrewrite::rewrite
