// What is made of the option table for other programs: the manual page,
// completion for shells, and the schema of configuration files for editors.
#pragma once

#include "CommandTable.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::cli {

/// The completion of the value of an option.
struct Completion {
  enum { Nothing, Words, File, Folder } Kind = Nothing;
  std::vector<std::string> Names; ///< where it is words
  bool List = false;              ///< several with commas between them
};
Completion completionOf(const config::Option &O);

/// The names of all rewrites, in the registry's order.
std::vector<std::string> rewriteNames();

/// The options of clBuildProgram, which stand after --.
std::vector<std::string> buildOptionNames();

/// \p Text between single quotes for a shell, with \p Quote for each quote.
std::string quoted(llvm::StringRef Text, llvm::StringRef Quote = "'\\''");

void writeManPage(llvm::raw_ostream &OS, llvm::ArrayRef<CommandEntry> Table);
void writeBash(llvm::raw_ostream &OS, llvm::ArrayRef<CommandEntry> Table);
void writeZsh(llvm::raw_ostream &OS, llvm::ArrayRef<CommandEntry> Table);
void writeFish(llvm::raw_ostream &OS, llvm::ArrayRef<CommandEntry> Table);

/// The JSON schema of a configuration file.
void writeConfigSchema(llvm::raw_ostream &OS);

/// Writes what --generate=\p What asks for; false where there is no such thing.
bool generate(llvm::raw_ostream &OS, llvm::StringRef What,
              llvm::ArrayRef<CommandEntry> Table);

} // namespace clrewrite::cli
