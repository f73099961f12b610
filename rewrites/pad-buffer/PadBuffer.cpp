// pad-buffer: the host puts zeros around a buffer, so that no guard is needed.
//
// `int k = i + j - r; if (k >= 0 && k < n) sum += in[k] * taps[j];` asks at
// every tap whether the buffer has such an element. Where it has not, nothing
// is added: as if the element were zero. So the host puts r zeros before the
// elements and as many after them as the last work-item reaches, and the kernel
// adds `in[i + j] * taps[j]`, whatever the place. Every work-item then makes as
// many iterations as any other. What is added must be 0 where the element is,
// and what it is multiplied by must be there for every iteration; the rest is
// the host's part, which the note states. A kernel that pads is added.
#include "GuardedReduction.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::pad_buffer {
namespace {

bool addsElementsUnderGuard(const ForStmt &Node, ASTContext &) {
  return loopVariable(Node) && !guardedTerms(Node, guardedBody(Node)).empty();
}

GuardedReduction reductionOf(const Site &S) {
  return GuardedReduction(*S.get<ForStmt>(), S.Function, S.Context);
}

std::string elementName(const GuardedReduction &P) {
  return spelledType(P.The.Element->getType().getCanonicalType(), P.Context);
}

/// The declarations that have the name of the kernel that pads.
DeclContext::lookup_result declared(const GuardedReduction &P) {
  IdentifierInfo &Id = P.Context.Idents.get("pad_" + elementName(P));
  return P.Context.getTranslationUnitDecl()->lookup(DeclarationName(&Id));
}

/// The name is free, or that of what an earlier run has added.
bool nameIsFree(const Site &S) {
  const GuardedReduction &P = S.once<reductionOf>();
  IdentifierInfo &Id = S.Context.Idents.get("pad_" + elementName(P));
  return !Id.hadMacroDefinition() && all_of(declared(P), [](const Decl *D) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    return F && F->hasAttr<DeviceKernelAttr>() && F->getNumParams() == 4 &&
           F->getParamDecl(2)->getName() == "count" &&
           F->getParamDecl(3)->getName() == "before";
  });
}

bool isText(const Site &S) {
  const GuardedReduction &P = S.once<reductionOf>();
  const Stmt *If = P.A.Body.Guards.front().If;
  return isCopyable(wholeStatement(If, S.Context), S) &&
         isCopyable(wholeStatement(P.The.Sum, S.Context), S) &&
         isCopyable(P.The.Element->getIdx()->getSourceRange(), S) &&
         (!P.The.Factor || isCopyable(P.The.Factor->getSourceRange(), S)) &&
         (constant(P.A.Head->Start, S.Context) ||
          isCopyable(P.A.Head->Start->getSourceRange(), S));
}

/// Writes the edits of one site.
class Writer {
public:
  explicit Writer(const Site &S) : S(S), P(S.once<reductionOf>()) {}

  Alternative write() {
    Alternative Out;
    Out.Label = "zeros";
    Out.Class = Safety::Contract;
    Out.Note = note();
    Out.Changes.push_back(unguarded());
    for (const VarDecl *V : P.A.Body.Locals)
      if (const DeclStmt *D = idleDeclaration(V))
        Out.Changes.push_back(without(D));
    if (!isDefined())
      Out.Changes.push_back(
          Edit{unsigned(fileText(S.Context).size()), 0, kernel()});
    return Out;
  }

private:
  const Site &S;
  const GuardedReduction &P;

  const IfStmt *outermost() const { return P.A.Body.Guards.front().If; }

  /// The sum without its guards, at the padded index.
  Edit unguarded() const {
    Edit Whole =
        replacement(wholeStatement(outermost(), S.Context), "", S.Context);
    SourceRange Kept = wholeStatement(P.The.Sum, S.Context);
    Edit Sum = replacement(Kept, "", S.Context);
    Edit Index =
        replacement(P.The.Element->getIdx()->getSourceRange(), "", S.Context);
    StringRef Before = fileText(S.Context).slice(Sum.Offset, Index.Offset),
              After = fileText(S.Context).slice(Index.end(), Sum.end());
    std::string Comments =
        commentsIn(wholeStatement(outermost(), S.Context), {Kept},
                   indentation(outermost()->getIfLoc(), S.Context), S.Context);
    Whole.Text = Comments + Before.str() + index() + After.str();
    return Whole;
  }

  /// The id and the iterations that went before, whose number an int holds.
  std::string index() const {
    std::string Id = P.id()->getName().str() + " + ",
                Variable = P.A.Head->Variable->getName().str();
    LinearForm Back;
    if (!Back.add(*P.A.formOf(P.A.Head->Start), -1, S.Context) ||
        Back.Parts.size() + (Back.Constant != 0) > 1)
      return Id + "(" + Variable + " - " +
             spelledOperand(P.A.Head->Start, S.Context) + ")";
    if (Back.Parts.empty() && Back.Constant == 0)
      return Id + Variable;
    return Id + "(" + joined(Variable, Back) + ")";
  }

  /// \p Text plus \p F.
  std::string joined(std::string Text, const LinearForm &F) const {
    auto add = [&](int64_t Factor, const std::string &What) {
      if (Text.empty())
        Text = Factor < 0 ? "-" : "";
      else
        Text += Factor < 0 ? " - " : " + ";
      Text += What;
    };
    for (const LinearForm::Part &Each : F.Parts)
      add(Each.Factor, (std::abs(Each.Factor) == 1
                            ? ""
                            : std::to_string(std::abs(Each.Factor)) + " * ") +
                           spelledOperand(Each.Term, S.Context));
    if (F.Constant != 0 || Text.empty())
      add(F.Constant, std::to_string(std::abs(F.Constant)));
    return Text;
  }

  /// The declaration of \p V alone, where only guards and the index name it.
  const DeclStmt *idleDeclaration(const VarDecl *V) const {
    const auto *Block = dyn_cast<CompoundStmt>(P.A.Loop.getBody());
    const SourceManager &SM = S.Context.getSourceManager();
    auto goes = [&](SourceLocation At) {
      auto within = [&](SourceRange R) {
        return SM.isPointWithin(At, R.getBegin(), R.getEnd());
      };
      return within(P.The.Element->getIdx()->getSourceRange()) ||
             any_of(P.A.Body.Guards, [&](const Guard &G) {
               return within(G.If->getCond()->getSourceRange());
             });
    };
    for (const Stmt *Each :
         Block ? Block->body() : CompoundStmt::body_range(nullptr, nullptr))
      if (const auto *D = dyn_cast<DeclStmt>(Each);
          D && D->isSingleDecl() && D->getSingleDecl() == V &&
          isPlainText(wholeStatement(D, S.Context), S.Context) &&
          all_of(namesOf(V, Block),
                 [&](const DeclRefExpr *R) { return goes(R->getLocation()); }))
        return D;
    return nullptr;
  }

  /// \p D with the white space before it.
  Edit without(const DeclStmt *D) const {
    Edit E = replacement(wholeStatement(D, S.Context), "", S.Context);
    StringRef Before = fileText(S.Context).take_front(E.Offset);
    unsigned Blanks = unsigned(Before.size() - Before.rtrim().size());
    return Edit{E.Offset - Blanks, E.Length + Blanks, ""};
  }

  bool isDefined() const { return !declared(P).empty(); }

  std::string kernel() const {
    std::string Head = "kernel void pad_" + elementName(P) + "(";
    bool Ended =
        fileText(S.Context).empty() || fileText(S.Context).ends_with("\n");
    return (Ended ? "\n" : "\n\n") + Head + "const global " + elementName(P) +
           " *in, global " + elementName(P) + " *out,\n" +
           std::string(Head.size(), ' ') +
           "int count, int before) {\n"
           "  int i = (int)get_global_id(0) - before;\n"
           "  out[get_global_id(0)] = i >= 0 && i < count ? in[i] : 0;\n}\n";
  }

  std::string note() const {
    const ParmVarDecl *Buffer = P.buffer();
    std::string Id = spelled(P.id()->getInit()->IgnoreParenCasts(), S.Context);
    std::string Out =
        "the host must pass kernel " + S.Function.getNameAsString() +
        " as argument " + std::to_string(Buffer->getFunctionScopeIndex()) +
        " (" + Buffer->getNameAsString() +
        ") a buffer that no other argument shares: " + joined("", *P.before()) +
        " zeros (no fewer than 0), the " + joined("", P.length()) +
        " elements, and zeros up to the largest " + Id + " + " +
        joined("", *P.iterations()) +
        " elements, which an int can count; fill it with pad_" +
        elementName(P) + ", a work-item an element, before the launch";
    const auto *Factor =
        P.The.Factor
            ? dyn_cast<ArraySubscriptExpr>(P.The.Factor->IgnoreParenImpCasts())
            : nullptr;
    if (Factor)
      Out +=
          "; " + spelled(Factor, S.Context) + " must exist in every iteration";
    if (P.The.Sum->getLHS()->getType()->isRealFloatingType())
      Out += "; factors must be finite, and a sum of -0 may become 0";
    return Out;
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).write()};
}

} // namespace

const Rewrite &rewritePadBuffer() {
  static const Rewrite R{
      "pad-buffer",
      "have the host put zeros around a buffer whose index a loop checks",
      Safety::Contract,
      sitesOf<ForStmt, addsElementsUnderGuard>,
      {{"the loop does not count up by one, from one value of a signed int of "
        "its own to another",
        [](const Site &S) {
          return S.once<reductionOf>().counts() ||
                 S.brokenBy(headOf(*S.get<ForStmt>()));
        },
        "write its head as in for (int i = first; i < end; ++i)"},
       {"the guarded sum comes from a macro, or a preprocessor directive "
        "stands in it",
        isText, WriteItOut},
       {"the guard does not ask, in int, whether the element's index itself is "
        "at least 0 and below a length that all work-items share, and nothing "
        "else",
        [](const Site &S) {
          const GuardedReduction &P = S.once<reductionOf>();
          return P.isGuarded() ||
                 S.brokenBy(P.A.Body.Guards.front().If->getCond());
        }},
       {"the index is not an int that holds a global id, plus the loop's "
        "variable, plus what all work-items share",
        [](const Site &S) {
          const GuardedReduction &P = S.once<reductionOf>();
          return P.followsId() || S.brokenBy(P.The.Element->getIdx());
        }},
       {"no index is below 0, so that the guard stands for something else",
        [](const Site &S) { return S.once<reductionOf>().startsBefore(); }},
       {"the sum is no private number, or adding 0 to it may change it",
        [](const Site &S) {
          const GuardedReduction &P = S.once<reductionOf>();
          return P.sumIsPlain() || S.brokenBy(P.The.Sum->getLHS());
        }},
       {"what the element is multiplied by is no number, steady variable or "
        "constant element that all work-items share",
        [](const Site &S) {
          const GuardedReduction &P = S.once<reductionOf>();
          return P.factorIsSafe() || S.brokenBy(P.The.Factor);
        }},
       {"the buffer is no argument of this kernel in global memory, is "
        "volatile, or is used elsewhere too",
        [](const Site &S) {
          const GuardedReduction &P = S.once<reductionOf>();
          return P.bufferIsPlain() || S.brokenBy(P.The.Element->getBase());
        }},
       IsOnlyForHost,
       {"the name of the kernel that pads means something else here",
        nameIsFree, RenameOwn}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::pad_buffer
