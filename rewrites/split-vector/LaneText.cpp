// The text of a region that works on a part of its lanes: narrower types, and
// narrower loads and stores that count parts instead of vectors.
#include "LaneText.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/ast/WholeAccess.h"
#include "rewrite/text/Text.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {
namespace {

/// Where \p Kind follows \p End with nothing but closing parentheses between:
/// Clang's range of `(float4)(2)` lacks the last one.
SourceLocation following(SourceLocation End, tok::TokenKind Kind,
                         const ASTContext &Context) {
  while (End.isValid() && End.isFileID()) {
    std::optional<Token> Next = Lexer::findNextToken(
        End, Context.getSourceManager(), Context.getLangOpts());
    if (!Next || (Next->isNot(Kind) && Next->isNot(tok::r_paren)))
      break;
    End = Next->getLocation();
    if (Next->is(Kind))
      return End;
  }
  return {};
}

/// Narrows the types and functions that uses of vectors name, by edits of
/// single tokens.
class Narrower {
public:
  Narrower(unsigned From, unsigned To, std::string Part,
           const ASTContext &Context)
      : From(From), To(To), Part(std::move(Part)), Context(Context) {}

  /// The edits that all() has made; unless Failed they are complete.
  Edits Changes;
  /// The copies of functions that the uses call, where they are to be put.
  Edits Copies;
  bool Failed = false;

  void all(const LaneUse &Use, const FunctionDecl &Caller);
  /// The name of \p Vector's type with \p Lanes lanes.
  std::string typeWith(unsigned Lanes, QualType Vector) {
    QualType Lane = laneOf(Vector.getCanonicalType());
    return known(spelledType(Lane, Context) + (Lanes > 1 ? utostr(Lanes) : ""),
                 /*Function=*/false);
  }

private:
  unsigned From, To;
  std::string Part;
  const ASTContext &Context;
  std::map<const FunctionDecl *, std::string> Copied;

  void replace(SourceRange R, std::string New) {
    Edit E = replacement(R, std::move(New), Context);
    if (E.Length == 0)
      Failed = true;
    else
      add(std::move(E));
  }
  /// A macro's argument may be used twice, and is still one text.
  void add(Edit E) {
    if (!is_contained(Changes, E))
      Changes.push_back(std::move(E));
  }
  /// A name that this program may not use for something of its own.
  std::string known(std::string Name, bool Function) {
    Failed |= Function ? !meansBuiltin(Name, Context)
                       : Context.Idents.get(Name).hadMacroDefinition();
    return Name;
  }
  std::string narrowed(QualType Vector) { return typeWith(To, Vector); }
  void callee(const CallExpr *C, std::string New) {
    replace(C->getCallee()->getSourceRange(), std::move(New));
  }
  std::string index(const Expr *Offset, unsigned Times);
  void move(const CallExpr *C);
  void element(const Expr *E);
  void reinterpret(const AsTypeExpr *A);
  std::string copyOf(const FunctionDecl *F, const FunctionDecl &Caller);
};

/// The offset of a part, counted in \p Times-ths of the vectors that \p Offset
/// counts; the sum wraps as size_t, as it does within vloadN.
std::string Narrower::index(const Expr *Offset, unsigned Times) {
  const Expr *E = Offset->IgnoreImplicit();
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E->IgnoreParens());
      Literal && Literal->getValue().getActiveBits() < 16) {
    uint64_t N = Literal->getValue().getZExtValue() * Times;
    return N ? utostr(N) + " + " + Part : Part;
  }
  if (!text(Offset->getSourceRange(), Context))
    Failed = true;
  QualType T = E->getType();
  bool Wraps = T->isUnsignedIntegerType() && Context.getTypeSize(T) == 64;
  return (Wraps ? "" : "(size_t)") + spelledOperand(Offset, Context) + " * " +
         utostr(Times) + " + " + Part;
}

void Narrower::move(const CallExpr *C) {
  LaneName N = *laneName(calleeName(C));
  const Expr *Offset = C->getArg(N.stores() ? 1 : 0);
  const Expr *Pointer = C->getArg(N.stores() ? 2 : 1);
  if (To > 1) {
    callee(C, known(N.with(To), /*Function=*/true));
    return replace(Offset->getSourceRange(), index(Offset, From / To));
  }
  Failed |= !text(Pointer->getSourceRange(), Context);
  std::string Place =
      spelledOperand(Pointer, Context) + "[" + index(Offset, From) + "]";
  if (N.loads())
    return replace(C->getSourceRange(), Place);
  // The value may hold edits of its own, so the text around it changes.
  Edit Call = replacement(C->getSourceRange(), "", Context);
  Edit Value = replacement(C->getArg(0)->getSourceRange(), "", Context);
  SourceLocation Comma =
      following(C->getArg(0)->getEndLoc(), tok::comma, Context);
  if (!Call.Length || !Value.Length || Comma.isInvalid())
    return void(Failed = true);
  unsigned End = Context.getSourceManager().getFileOffset(Comma);
  add({Call.Offset, Value.Offset - Call.Offset, Place + " = "});
  add({End, Call.end() - End, ""});
}

/// q[i] becomes ((__global const float4 *)&q[i])[part].
void Narrower::element(const Expr *E) {
  LangAS Space = E->getType().getAddressSpace();
  StringRef Word = isPrivateSpace(Space) ? "__private" : spelledSpace(Space);
  if (Word.empty())
    return void(Failed = true);
  Edit At = replacement(E->getSourceRange(), "", Context);
  if (!At.Length)
    return void(Failed = true);
  bool Const = E->getType().isConstQualified();
  add({At.Offset, 0,
       "((" + Word.str() + (Const ? " const " : " ") + narrowed(E->getType()) +
           " *)&"});
  add({At.end(), 0, ")[" + Part + "]"});
}

/// as_float8(x) is a macro of the header; its name stands in the file.
void Narrower::reinterpret(const AsTypeExpr *A) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation At = SM.getFileLoc(A->getBeginLoc());
  std::string Name = Lexer::getSpelling(
      [&] {
        Token T;
        Lexer::getRawToken(At, T, SM, Context.getLangOpts());
        return T;
      }(),
      SM, Context.getLangOpts());
  QualType T = A->getType();
  std::string Lane = spelledType(laneOf(T.getCanonicalType()), Context);
  if (!SM.isInMainFile(At) || Name != "as_" + Lane + utostr(From))
    return void(Failed = true);
  Edit E{SM.getFileOffset(At), unsigned(Name.size()),
         "as_" + Lane + utostr(To)};
  add(std::move(E));
}

/// The name of a copy of \p F for narrower vectors, which is put after \p F.
std::string Narrower::copyOf(const FunctionDecl *F,
                             const FunctionDecl &Caller) {
  const FunctionDecl *Body = nullptr;
  F->hasBody(Body);
  auto [Known, New] = Copied.insert({Body, ""});
  if (!New)
    return Known->second;
  const SourceManager &SM = Context.getSourceManager();
  std::string Name =
      freshName(Body->getNameAsString() + "_" + utostr(To), Context);
  Known->second = Name;
  Narrower Inner(From, To, Part, Context);
  Inner.Copied = Copied;
  Inner.all(useOf(*Body, From, Context), *Body);
  Inner.replace(Body->getNameInfo().getSourceRange(), Name);
  Copied.insert(Inner.Copied.begin(), Inner.Copied.end());
  Edit Whole = replacement(Body->getSourceRange(), "", Context);
  bool Before =
      SM.isBeforeInTranslationUnit(Body->getEndLoc(), Caller.getBeginLoc());
  if (Inner.Failed || !Whole.Length || !Before || To == 1 ||
      !isPlainText(Body->getSourceRange(), Context)) {
    Failed = true;
    return Name;
  }
  for (Edit &E : Inner.Changes)
    E.Offset -= Whole.Offset;
  Expected<std::string> Text =
      applyEdits(*text(Body->getSourceRange(), Context), Inner.Changes);
  if (!Text) {
    consumeError(Text.takeError());
    Failed = true;
    return Name;
  }
  append_range(Copies, Inner.Copies);
  Copies.push_back({Whole.end(), 0, "\n" + *Text});
  return Name;
}

void Narrower::all(const LaneUse &Use, const FunctionDecl &Caller) {
  for (const TypedefTypeLoc &T : Use.Types)
    replace(T.getSourceRange(), narrowed(T.getType()));
  for (const std::string &Name : Use.BuiltIns)
    known(Name, /*Function=*/true);
  for (const CallExpr *C : Use.Moves)
    move(C);
  for (const CallExpr *C : Use.Conversions)
    callee(C, known(laneName(calleeName(C))->with(To), /*Function=*/true));
  for (const AsTypeExpr *A : Use.Reinterpreted)
    reinterpret(A);
  for (const Expr *E : Use.Elements)
    element(E);
  for (const CallExpr *C : Use.HelperCalls)
    callee(C, copyOf(C->getDirectCallee(), Caller));
}

/// The end of the region's last line, where nothing but a comment follows.
unsigned withComment(unsigned End, StringRef Text) {
  StringRef Rest = Text.drop_front(End).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  StringRef Comment = Rest.ltrim(" \t");
  bool Line = Comment.starts_with("//") && !Comment.ends_with("\\");
  bool Block = Comment.starts_with("/*") &&
               Comment.find("*/", 2) == Comment.rtrim().size() - 2;
  return Line || Block ? End + unsigned(Rest.size()) : End;
}

/// \p Changes applied to the file's bytes from \p Begin to \p End; those
/// outside are left out.
std::optional<std::string> changed(StringRef File, unsigned Begin, unsigned End,
                                   const Edits &Changes) {
  Edits Inside;
  for (const Edit &E : Changes)
    if (E.Offset >= Begin && E.end() <= End)
      Inside.push_back({E.Offset - Begin, E.Length, E.Text});
  Expected<std::string> Out = applyEdits(File.slice(Begin, End), Inside);
  if (Out)
    return *Out;
  consumeError(Out.takeError());
  return std::nullopt;
}

/// The body of the loop over the parts, and the lines before and after it.
struct LoopText {
  std::vector<std::string> Before;
  std::string Body;
  std::string After;
};

/// Each part pushes what it stores into the end of a vector, whose first lanes
/// leave it: after the last part all lanes are in their places, and no index
/// that a loop computes has moved the vector out of registers.
std::optional<LoopText> keptText(unsigned Begin, unsigned End, Narrower &N,
                                 ArrayRef<LastStore> Stores, unsigned Lanes,
                                 unsigned To, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef File = fileText(Context);
  LoopText Out;
  std::set<std::string> Names;
  std::string Pushes;
  Edits Behind;
  unsigned Tail = End;
  for (auto [I, S] : enumerate(Stores)) {
    Edit Whole = replacement(S.Whole->getSourceRange(), "", Context);
    Edit Value = replacement(S.Value->getSourceRange(), "", Context);
    SourceLocation Stop =
        following(S.Value->getEndLoc(),
                  isa<CallExpr>(S.Whole) ? tok::comma : tok::semi, Context);
    if (!Whole.Length || !Value.Length || Stop.isInvalid())
      return std::nullopt;
    Tail = std::min(Tail, Whole.Offset);
    unsigned ValueEnd = SM.getFileOffset(Stop);
    std::optional<std::string> Text =
        changed(File, Value.Offset, ValueEnd, N.Changes);
    std::string Name = freshName(
        Stores.size() > 1 ? "kept" + utostr(I) : std::string("kept"), Context);
    if (!Text || !Names.insert(Name).second)
      return std::nullopt;
    std::string Type = N.typeWith(Lanes, S.Value->getType());
    Out.Before.push_back(Type + " " + Name + " = 0;");
    Pushes += "\n" + indentation(S.Whole->getBeginLoc(), Context) + Name +
              " = (" + Type + ")(" + laterLanes(Name, To, Lanes) + "(" +
              N.typeWith(To, S.Value->getType()) + ")(" + *Text + "));";
    Behind.push_back({Value.Offset, ValueEnd - Value.Offset, Name});
  }
  // An insertion where the first store starts belongs to it.
  Edits Inside;
  copy_if(N.Changes, std::back_inserter(Inside),
          [&](const Edit &E) { return E.Offset < Tail; });
  std::optional<std::string> Body = changed(File, Begin, Tail, Inside);
  std::optional<std::string> After = changed(File, Tail, End, Behind);
  if (!Body || !After || N.Failed)
    return std::nullopt;
  Out.Body = StringRef(StringRef(*Body).rtrim().str() + Pushes).ltrim().str();
  Out.After = *After;
  return Out;
}

} // namespace

std::optional<Edits> splitText(const LaneRegion &R, const LaneUse &Use,
                               const LaneSplit &Split,
                               const FunctionDecl &Function,
                               ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Stmt *Last = R.Statements.back();
  SourceRange Range(R.Statements.front()->getBeginLoc(),
                    wholeStatement(Last, Context).getEnd());
  if (Range.getEnd().isInvalid() && isa<Expr>(Last))
    Range.setEnd(following(Last->getEndLoc(), tok::semi, Context));
  // A macro may stand at the start: the name of the first type.
  if (Range.getEnd().isInvalid() || Range.getEnd().isMacroID() ||
      !isCopyable(Range, Context))
    return std::nullopt;
  std::string Part = freshName("part", Context);
  Narrower N(R.Lanes, Split.Lanes, Part, Context);
  N.all(Use, Function);
  Edit Whole = replacement(Range, "", Context);
  if (N.Failed || !Whole.Length)
    return std::nullopt;
  StringRef File = fileText(Context);
  unsigned End = withComment(Whole.end(), File);
  Whole.Length = End - Whole.Offset;
  if (any_of(N.Changes, [&](const Edit &E) {
        return E.Offset < Whole.Offset || E.end() > End;
      }))
    return std::nullopt;
  std::optional<LoopText> Loop;
  if (Split.Keep) {
    std::vector<LastStore> Stores = lastStores(R, Use);
    if (!Stores.empty())
      Loop =
          keptText(Whole.Offset, End, N, Stores, R.Lanes, Split.Lanes, Context);
  } else if (auto Body = changed(File, Whole.Offset, End, N.Changes)) {
    Loop = LoopText{{}, *Body, ""};
  }
  if (!Loop)
    return std::nullopt;
  std::string Indent =
      indentation(SM.getExpansionLoc(Range.getBegin()), Context);
  std::string Step = indentUnit(*R.Statements.front(), Context);
  std::string Parts = utostr(R.Lanes / Split.Lanes);
  for (const std::string &Line : Loop->Before)
    Whole.Text += Line + "\n" + Indent;
  Whole.Text += "__attribute__((opencl_unroll_hint(" +
                (Split.Unroll ? Parts : std::string("1")) + ")))\n" + Indent +
                "for (int " + Part + " = 0; " + Part + " < " + Parts + "; ++" +
                Part + ") {\n" + Indent + Step + indented(Loop->Body, Step) +
                "\n" + Indent + "}";
  if (!Loop->After.empty())
    Whole.Text += "\n" + Indent + Loop->After;
  Edits Out = std::move(N.Copies);
  Out.push_back(std::move(Whole));
  return Out;
}

} // namespace clrewrite::rewrite::split_vector
