// widen-pointer: a kernel's pointer to 8- or 16-bit integers becomes a pointer
// to int.
//
// Some old compilers spill around byte accesses; a buffer of int avoids them.
// `global uchar *in` becomes `global int *in`, and every access keeps its
// value: what is stored is first cast to the old type, so that an element
// always holds a value of that type, and a read is cast back wherever its type
// could be seen (an overloaded function, a vector). uchar and ushort widen to
// int as well, since that is what the language promotes them to: with uint,
// `in[i] - 1` would not go below 0. The host must convert the buffer; two
// kernels at the end of the file do that.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::widen_pointer {
namespace {

/// "uchar" for an element that this rewrite widens; else empty.
StringRef narrowName(QualType T) {
  const auto *B = T.getCanonicalType()->getAs<BuiltinType>();
  switch (B ? B->getKind() : BuiltinType::Void) {
  case BuiltinType::Char_S:
  case BuiltinType::SChar:
    return "char";
  case BuiltinType::UChar:
    return "uchar";
  case BuiltinType::Short:
    return "short";
  case BuiltinType::UShort:
    return "ushort";
  default:
    return "";
  }
}

std::string widenName(StringRef Narrow) {
  return ("widen_" + Narrow + "_to_int").str();
}
std::string narrowName(StringRef Narrow) {
  return ("narrow_int_to_" + Narrow).str();
}

bool isNarrowBuffer(const ParmVarDecl &Node, ASTContext &) {
  const auto *F = dyn_cast<FunctionDecl>(Node.getDeclContext());
  const auto *P = Node.getType()->getAs<clang::PointerType>();
  if (!F || !P || !F->hasAttr<DeviceKernelAttr>() ||
      !F->doesThisDeclarationHaveABody())
    return false;
  LangAS Space = P->getPointeeType().getAddressSpace();
  StringRef Narrow = narrowName(P->getPointeeType());
  // The conversion kernels are narrow on purpose.
  std::string Name = F->getNameAsString();
  return !Narrow.empty() && Name != widenName(Narrow) &&
         Name != narrowName(Narrow) &&
         (Space == LangAS::opencl_global || Space == LangAS::opencl_constant);
}

const ParmVarDecl *pointerOf(const Site &S) { return S.get<ParmVarDecl>(); }
QualType elementOf(const Site &S) {
  return pointerOf(S)->getType()->getPointeeType().getUnqualifiedType();
}

/// The tokens that spell the element's type: one, or two or three that stand
/// together (unsigned short int). Invalid where anything unknown stands there.
SourceRange elementTokens(const Site &S) {
  const ParmVarDecl *P = pointerOf(S);
  const SourceManager &SM = S.Context.getSourceManager();
  if (P->getBeginLoc().isMacroID() || P->getLocation().isMacroID())
    return {};
  SourceRange Found;
  bool Ended = false;
  SourceLocation At = P->getBeginLoc();
  for (unsigned Guard = 0; At.isValid() && Guard < 16; ++Guard) {
    Token T;
    if (Lexer::getRawToken(At, T, SM, S.Context.getLangOpts(), true) ||
        SM.getFileOffset(T.getLocation()) >= SM.getFileOffset(P->getLocation()))
      return {};
    if (T.is(tok::star))
      return Found;
    StringRef Word = T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (S.Context.Idents.get(Word).hadMacroDefinition())
      return {};
    if (is_contained(
            {"char", "uchar", "short", "ushort", "unsigned", "signed", "int"},
            Word)) {
      if (Ended)
        return {};
      Found = {Found.isValid() ? Found.getBegin() : T.getLocation(),
               T.getLocation()};
    } else if (is_contained({"const", "global", "__global", "constant",
                             "__constant", "restrict", "volatile"},
                            Word)) {
      Ended = Found.isValid();
    } else {
      return {};
    }
    At = T.getEndLoc();
  }
  return {};
}

bool typeIsPlain(const Site &S) {
  return elementTokens(S).isValid() ||
         S.brokenBy(pointerOf(S)->getSourceRange());
}

bool isNotVolatile(const Site &S) {
  const ValueDecl *P = pointerOf(S);
  return (!P->getType()->getPointeeType().isVolatileQualified() &&
          !P->getType().isVolatileQualified()) ||
         S.brokenBy(P->getSourceRange());
}

std::vector<PointerUse> accessesOf(const Site &S) {
  std::vector<PointerUse> Out;
  for (const DeclRefExpr *Name : namesOf(pointerOf(S), S.Function.getBody()))
    Out.push_back(pointerUse(Name, S.Context));
  return Out;
}

/// What is done with the pointer at \p Name: the first expression around it
/// that is a call, or no pointer.
const Expr *useAround(const DeclRefExpr *Name, ASTContext &Context) {
  const Expr *Out = Name;
  while (Out->getType()->isPointerType() && !isa<CallExpr>(Out)) {
    DynTypedNodeList Parents = Context.getParents(*Out);
    const Expr *Up = Parents.size() == 1 ? Parents[0].get<Expr>() : nullptr;
    if (!Up)
      break;
    Out = Up;
  }
  return Out;
}

bool usesAreElements(const Site &S) {
  for (const DeclRefExpr *Name : namesOf(pointerOf(S), S.Function.getBody()))
    if (pointerUse(Name, S.Context).Kind == PointerUse::Unknown)
      return S.brokenBy(useAround(Name, S.Context));
  return true;
}

bool valuesAreUnused(const Site &S) {
  return all_of(accessesOf(S), [&](const PointerUse &A) {
    return (A.Kind != PointerUse::Store && A.Kind != PointerUse::Update) ||
           isValueUnused(A.Change, S.Context) || S.brokenBy(A.Change);
  });
}

/// The element is written twice by what replaces `p[i] += a`, so evaluating
/// `a` must not change which one it is.
bool updatesAreSimple(const Site &S) {
  return all_of(accessesOf(S), [&](const PointerUse &A) {
    if (A.Kind != PointerUse::Update)
      return true;
    const auto *B = dyn_cast<BinaryOperator>(A.Change);
    return (isPure(A.Element) && (!B || isPure(B->getRHS())) &&
            namesOf(pointerOf(S), A.Element).size() == 1) ||
           S.brokenBy(A.Change);
  });
}

/// The value that is stored is of the old type already, or a literal of it.
bool storesNarrow(const Expr *Value, QualType Element,
                  const ASTContext &Context) {
  const Expr *E = Value->IgnoreParenImpCasts();
  if (Context.hasSameUnqualifiedType(E->getType(), Element))
    return true;
  const auto *L = dyn_cast<IntegerLiteral>(E);
  unsigned Bits = unsigned(Context.getTypeSize(Element)) -
                  (Element->isSignedIntegerType() ? 1 : 0);
  return L && isStableText(L, Context) && L->getValue().getActiveBits() <= Bits;
}

bool isFileText(SourceRange R, const ASTContext &Context) {
  return !R.getBegin().isMacroID() && !R.getEnd().isMacroID() &&
         text(R, Context).has_value();
}

bool accessesAreText(const Site &S) {
  return all_of(accessesOf(S), [&](const PointerUse &A) {
    if (A.Kind == PointerUse::Move)
      return true;
    if (A.Kind == PointerUse::Read)
      return typeIsHidden(A, S.Context) ||
             isFileText(A.Element->getSourceRange(), S.Context);
    const auto *B = dyn_cast<BinaryOperator>(A.Change);
    const auto *U = dyn_cast<UnaryOperator>(A.Change);
    SourceLocation Op = B ? B->getOperatorLoc() : U->getOperatorLoc();
    return !Op.isMacroID() &&
           isFileText(A.Element->getSourceRange(), S.Context) &&
           (!B || text(B->getRHS()->getSourceRange(), S.Context));
  });
}

/// Text to put in at a place. Of what ends and starts at one place, the inner
/// end comes first and the outer start.
class Insertions {
public:
  explicit Insertions(const ASTContext &Context) : Context(Context) {}

  void around(const Expr *E, std::string Open, const std::string &Close) {
    Edit Whole = replacement(E->getSourceRange(), "", Context);
    add(Whole.Offset, Whole.Length, std::move(Open), Close);
  }
  void add(unsigned Offset, unsigned Length, std::string Open,
           const std::string &Close) {
    Opens.push_back({Offset, Length, std::move(Open)});
    if (!Close.empty())
      Closes.push_back({Offset + Length, Length, Close});
  }
  /// Appends the edits, at most one insertion at a place.
  void appendTo(Edits &Out) {
    llvm::sort(Closes, [](const Text &A, const Text &B) {
      return std::tie(A.Length, A.Offset) < std::tie(B.Length, B.Offset);
    });
    llvm::sort(Opens, [](const Text &A, const Text &B) {
      return std::tie(A.Length, A.Offset) > std::tie(B.Length, B.Offset);
    });
    std::map<unsigned, std::string> At;
    for (const Text &T : Closes)
      At[T.Offset] += T.New;
    for (const Text &T : Opens)
      At[T.Offset] += T.New;
    for (auto &[Offset, New] : At)
      if (!New.empty())
        Out.push_back(Edit{Offset, 0, New});
  }

private:
  struct Text {
    unsigned Offset, Length;
    std::string New;
  };
  const ASTContext &Context;
  std::vector<Text> Opens, Closes;
};

/// Writes the edits of one site.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Element(elementOf(S)), Name(narrowName(Element)),
        Inserted(S.Context) {}

  Alternative write() {
    Alternative A;
    A.Label = "int";
    A.Class = Safety::Contract;
    A.Changes.push_back(replacement(elementTokens(S), "int", S.Context));
    bool Writes = false;
    for (const PointerUse &Use : accessesOf(S)) {
      Writes |= Use.Kind == PointerUse::Store || Use.Kind == PointerUse::Update;
      if (Use.Kind == PointerUse::Read)
        read(Use);
      if (Use.Kind == PointerUse::Store)
        store(Use);
      if (Use.Kind == PointerUse::Update)
        update(Use, A.Changes);
    }
    Inserted.appendTo(A.Changes);
    if (std::string Kernels = conversions(); !Kernels.empty())
      A.Changes.push_back(
          Edit{unsigned(fileText(S.Context).size()), 0, Kernels});
    A.Note = note(Writes);
    return A;
  }

private:
  const Site &S;
  QualType Element;
  StringRef Name;
  Insertions Inserted;

  std::string cast() const { return ("(" + Name + ")").str(); }

  void read(const PointerUse &A) {
    if (!typeIsHidden(A, S.Context))
      Inserted.around(A.Element, "(" + cast(), ")");
  }

  void store(const PointerUse &A) {
    const Expr *Value = cast_or_null<BinaryOperator>(A.Change)->getRHS();
    if (!storesNarrow(Value, Element, S.Context))
      Inserted.around(Value, cast() + "(", ")");
  }

  /// p[i] += a becomes p[i] = (uchar)(p[i] + (a)).
  void update(const PointerUse &A, Edits &Out) {
    std::string Again = " = " + cast() + "(" + spelled(A.Element, S.Context);
    if (const auto *B = dyn_cast<CompoundAssignOperator>(A.Change)) {
      StringRef Op = BinaryOperator::getOpcodeStr(
          BinaryOperator::getOpForCompoundAssignment(B->getOpcode()));
      Again.erase(0, 1);
      Out.push_back(
          replacement(B->getOperatorLoc(), Again + " " + Op.str(), S.Context));
      bool Loose = spelledOperand(B->getRHS(), S.Context) !=
                   spelled(B->getRHS(), S.Context);
      Inserted.around(B->getRHS(), Loose ? "(" : "", Loose ? "))" : ")");
      return;
    }
    const auto *U = cast_or_null<UnaryOperator>(A.Change);
    std::string New = Again + (U->isIncrementOp() ? " + 1)" : " - 1)");
    if (U->isPostfix()) {
      Out.push_back(replacement(U->getOperatorLoc(), New, S.Context));
      return;
    }
    Out.push_back(replacement(U->getOperatorLoc(), "", S.Context));
    Edit Whole = replacement(U->getSubExpr()->getSourceRange(), "", S.Context);
    Inserted.add(Whole.end(), 0, New, "");
  }

  bool isDefined(const std::string &Kernel) const {
    IdentifierInfo &Id = S.Context.Idents.get(Kernel);
    return !S.Context.getTranslationUnitDecl()
                ->lookup(DeclarationName(&Id))
                .empty();
  }
  std::string kernel(const std::string &Kernel, StringRef From, StringRef To,
                     const std::string &Cast) const {
    if (isDefined(Kernel))
      return "";
    return ("\nkernel void " + Kernel + "(const global " + From +
            " *in, global " + To +
            " *out) {\n  size_t i = get_global_id(0);\n"
            "  out[i] = " +
            Cast + "in[i];\n}\n")
        .str();
  }
  std::string conversions() const {
    std::string Out = kernel(widenName(Name), Name, "int", "") +
                      kernel(narrowName(Name), "int", Name, cast());
    bool Ended =
        fileText(S.Context).empty() || fileText(S.Context).ends_with("\n");
    return Out.empty() || Ended ? Out : "\n" + Out;
  }

  std::string note(bool Writes) const {
    const ParmVarDecl *P = pointerOf(S);
    std::string Bytes = std::to_string(S.Context.getTypeSize(Element) / 8);
    std::string Out =
        "the host must pass kernel " + S.Function.getNameAsString() +
        " a buffer of int, 4 bytes an element instead of " + Bytes +
        ", as argument " + std::to_string(P->getFunctionScopeIndex()) + " (" +
        P->getNameAsString() +
        "), which no other argument shares, fill it with " + widenName(Name) +
        " before the launch";
    return Out +
           (Writes ? ", and turn it back with " + narrowName(Name) + " after it"
                   : ", and needs " + narrowName(Name) +
                         " only where it uses the buffer elsewhere");
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).write()};
}

} // namespace

const Rewrite &rewriteWidenPointer() {
  static const Rewrite R{
      "widen-pointer",
      "widen a kernel's pointer to 8- or 16-bit integers to a pointer to int",
      Safety::Contract,
      sitesOf<ParmVarDecl, isNarrowBuffer>,
      {{"the element type is spelled by a macro or a typedef of the program",
        typeIsPlain, "write the type itself"},
       {"the elements are volatile", isNotVolatile},
       IsOnlyForHost,
       {"the pointer is used other than to read or write one element",
        usesAreElements},
       {"the value of an assignment to an element is used", valuesAreUnused,
        "make the assignment a statement of its own"},
       {"the element or the value of a compound assignment has side effects, "
        "or "
        "the element depends on another",
        updatesAreSimple},
       {"an access to an element comes from a macro's body", accessesAreText,
        WriteItOut}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::widen_pointer
