// The parts of the HTML report, each of which a file of its own writes.
#pragma once

#include "report/Listing.h"
#include "report/Markup.h"

namespace clrewrite::report {

/// A kernel that the page shows.
struct PageKernel {
  const FileReport *File = nullptr;
  const rewrite::KernelInfo *Kernel = nullptr;
  std::string Id; ///< of its section
  std::vector<KernelRow> Rows = {};
};

/// The kernels of \p R in order, each with its rows. A kernel of a program that
/// stands in another of its files, and did not change with this one, is left
/// to that file.
std::vector<PageKernel> pageKernels(const Report &R);

/// "k.cl:3", or "k.cl" where the kernel has no line there.
std::string placeOf(const PageKernel &K);

/// The style sheet of the page.
llvm::StringRef pageStyle();

/// "37 → 24", or "37" where nothing changed; "–" where nothing is known.
void writeChange(Markup &M, const std::string &Before, const std::string &After,
                 llvm::StringRef Unit = "");
void writeChange(Markup &M, std::optional<unsigned> Before,
                 std::optional<unsigned> After, llvm::StringRef Unit = "");

/// A cell of a table: on a narrow screen \p Label stands before what is in it.
class Cell {
public:
  Cell(Markup &M, llvm::StringRef Label, llvm::StringRef Class = "");

private:
  Element Data;
};

/// All kernels by target.
void writeSummary(Markup &M, llvm::ArrayRef<PageKernel> Kernels);
/// The kernels that differ from the baseline.
void writeBaselineTable(Markup &M, const BaselineReport &B);
/// A kernel's evidence and curves.
void writeKernel(Markup &M, const PageKernel &K);
/// The diff of the file of \p F, with what each edit gained beside its hunk;
/// where there is no diff the edits alone. \p Texts are all of the file.
void writeEdits(Markup &M, const Report &R, const FileReport &F,
                llvm::ArrayRef<const FileReport *> Texts);
/// Sites of \p F that stay as they are, folded up.
void writeLeftAlone(Markup &M, const FileReport &F);

} // namespace clrewrite::report
