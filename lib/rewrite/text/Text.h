// The user's own text of AST nodes, and edits of it.
#pragma once

#include "source/Edit.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clrewrite::rewrite {

struct Site;

/// The text of the main file.
llvm::StringRef fileText(const clang::ASTContext &Context);

/// The text of \p Range in the main file, whole tokens. None where an end of
/// it comes from a macro's body, or from another file: such text can be
/// neither copied nor replaced.
std::optional<llvm::StringRef> text(clang::SourceRange Range,
                                    const clang::ASTContext &Context);

/// The text of an expression that text() is known to accept.
std::string spelled(const clang::Expr *E, const clang::ASTContext &Context);

/// In every build \p E is one operand: a name, a literal, a call, a subscript,
/// a field or something in parentheses. A macro that may be a sum in another
/// build is none.
bool isOperand(const clang::Expr *E, const clang::ASTContext &Context);

/// As spelled, in parentheses unless \p E is one operand.
std::string spelledOperand(const clang::Expr *E,
                           const clang::ASTContext &Context);

/// True where no token of \p Range comes from a macro's body and no
/// preprocessor directive stands in it: it is safe to replace as a whole.
bool isPlainText(clang::SourceRange Range, const clang::ASTContext &Context);

/// text() accepts \p Range, and no preprocessor directive stands in it: it
/// means the same in another place. A macro's arguments may be a part of it.
bool isCopyable(clang::SourceRange Range, const clang::ASTContext &Context);

/// The same in the file of \p S; else hindranceIn() breaks the condition.
bool isPlainText(clang::SourceRange Range, const Site &S);
bool isCopyable(clang::SourceRange Range, const Site &S);

/// \p E binds as loosely as ?: or more so: as an operand of ?: its text needs
/// parentheses.
bool bindsAsChoice(const clang::Expr *E);

/// The first line of \p Range that is a preprocessor directive; invalid where
/// there is none.
clang::SourceRange directiveIn(clang::SourceRange Range,
                               const clang::ASTContext &Context);

/// The first directive in \p Range by which another build may have other code
/// or other macros there: any but a pragma. Invalid where there is none; all of
/// \p Range where text() gives nothing.
clang::SourceRange variationIn(clang::SourceRange Range,
                               const clang::ASTContext &Context);

/// No line of \p Text is a directive but a pragma.
bool holdsPragmasOnly(llvm::StringRef Text);

/// \p Text with a semicolon and spaces in the place of each directive, pragmas
/// as well unless \p KeepPragmas. The rest stays where it is.
std::string withoutDirectives(llvm::StringRef Text, bool KeepPragmas);

/// \p Line from behind the `#` that it begins with, or the digraph for it,
/// perhaps behind comments; none where it is no directive.
std::optional<llvm::StringRef> directive(llvm::StringRef Line);

/// Where \p Part, a part of the main file's text, begins.
clang::SourceLocation locationOf(llvm::StringRef Part,
                                 const clang::ASTContext &Context);

/// The directive that begins on \p Line, a part of the main file's text, up to
/// where its last token on that line starts.
clang::SourceRange directiveOn(llvm::StringRef Line,
                               const clang::ASTContext &Context);

/// A preprocessor directive stands in \p Range.
bool holdsDirective(clang::SourceRange Range, const clang::ASTContext &Context);

/// What of \p Range keeps it from being copied or replaced: a directive in it,
/// or else all of it, whose end a macro's body holds.
clang::SourceRange hindranceIn(clang::SourceRange Range,
                               const clang::ASTContext &Context);

/// The part that \p S ends with: the arm of a branch, the body of a loop or a
/// switch, what stands behind a label or attributes. Null for any other.
const clang::Stmt *lastPart(const clang::Stmt *S);

/// The statement that \p S ends with: a branch or a loop ends with its body.
const clang::Stmt *lastOf(const clang::Stmt *S);

/// The range of a statement with the semicolon that ends it, which Clang's
/// own ranges leave out. Invalid where an end comes from a macro's body.
clang::SourceRange wholeStatement(const clang::Stmt *S,
                                  const clang::ASTContext &Context);

/// The bytes of \p Range, with the semicolon that follows where \p Semicolon.
/// Length 0 and offset 0 where text() would give nothing.
Edit replacement(clang::SourceRange Range, std::string New,
                 const clang::ASTContext &Context, bool Semicolon = false);

/// \p Part, a part of the main file's text, with those of \p Changes that lie
/// in it; of several at one place the last.
std::string edited(llvm::StringRef Part, const Edits &Changes,
                   const clang::ASTContext &Context);

/// Removes a declaration, and its line if nothing else stands there.
Edit removal(const clang::DeclStmt &D, const clang::ASTContext &Context);

/// Inserts \p New before the token at \p Loc.
Edit insertion(clang::SourceLocation Loc, std::string New,
               const clang::ASTContext &Context);

/// \p A stands before \p B where their macros expand, or, if that is one place,
/// in what they expand to.
bool standsBefore(clang::SourceLocation A, clang::SourceLocation B,
                  const clang::ASTContext &Context);

/// The line above that of \p Loc, or the next one further up that is neither
/// empty nor a `//` comment, is a pragma: what is inserted before \p Loc would
/// part it from what it is about.
bool standsBehindPragma(clang::SourceLocation Loc,
                        const clang::ASTContext &Context);

/// What stands between the statement \p S of \p Block and the code before it
/// there, and may be about S in this build or in another: a directive, an
/// attribute, a macro that is empty here. Invalid where S starts a statement in
/// every build.
clang::SourceRange beforeStatement(const clang::Stmt *S,
                                   const clang::CompoundStmt &Block,
                                   const clang::ASTContext &Context);

/// The branches without an `else` that \p S ends with, the outer ones first.
std::vector<const clang::IfStmt *> openBranches(const clang::Stmt *S);

/// What may be an `else` in another build, behind \p S, a statement of \p Block
/// that ends with a branch without one: the word in an arm of #if, or a macro
/// that is empty here. Invalid where nothing may be.
clang::SourceRange elseBehindStatement(const clang::Stmt *S,
                                       const clang::CompoundStmt &Block,
                                       const clang::ASTContext &Context);

/// The white space that starts the line of \p Loc.
std::string indentation(clang::SourceLocation Loc,
                        const clang::ASTContext &Context);

/// By how much the lines of a block are indented more than its brace where \p S
/// stands: two blanks where that can't be told, or a tab behind tabs.
std::string indentUnit(const clang::Stmt &S, clang::ASTContext &Context);

/// \p Text with \p By before each line that is not empty, but for the first and
/// for those that go on with the one before, perhaps with a string.
std::string indented(llvm::StringRef Text, llvm::StringRef By);

/// The comments that stand in \p Range outside all of \p Kept, each on a line
/// of its own with \p Indent; for edits that would swallow them.
std::string commentsIn(clang::SourceRange Range,
                       llvm::ArrayRef<clang::SourceRange> Kept,
                       llvm::StringRef Indent,
                       const clang::ASTContext &Context);

/// A name that starts with \p Stem and occurs nowhere in the main file, nor in
/// the headers and macros that it uses.
std::string freshName(llvm::StringRef Stem, const clang::ASTContext &Context);

/// \p Stem, or with the first number from 2 on of which \p isFresh holds.
std::string numbered(llvm::StringRef Stem,
                     llvm::function_ref<bool(const std::string &)> isFresh);

/// The offset of the first token of \p F, or of the comment right above it, or
/// of an #if that has the first token in an arm: the place for what \p F needs
/// before it. None where another directive stands in its head, or where braces
/// before it do not pair (in arms of #if).
std::optional<unsigned> headOf(const clang::FunctionDecl &F,
                               const clang::ASTContext &Context);

/// Defines \p Functions, texts by their fresh names, before \p F, of which
/// headOf knows the place.
Edit definitionsBefore(const clang::FunctionDecl &F,
                       const std::map<std::string, std::string> &Functions,
                       const clang::ASTContext &Context);

/// What a function's definition begins with that is only called by \p F: one
/// that is not seen outside adds no name that is. It is never `inline` alone,
/// which in C leaves it to another file to define the function.
std::string specifiersFor(const clang::FunctionDecl &F);

/// What the words of a kernel's head may stand for in other builds.
enum class KernelWords { OpenCL, AlsoCuda };

/// The place right after the word __kernel of \p F, or after the macro that
/// stands for it. The macro is one of the main file's words, takes no
/// parameters, and whatever the build options are it is __kernel, or, where
/// \p Words allows that, __global__, with nothing that an attribute behind it
/// would break: other specifiers and whole attributes. None elsewhere.
std::optional<clang::SourceLocation>
kernelWordEnd(const clang::FunctionDecl &F, KernelWords Words,
              const clang::ASTContext &Context);

/// The type as OpenCL C spells it, without qualifiers: "ushort8", "float".
std::string spelledType(clang::QualType T, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
