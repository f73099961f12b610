// Reading the user's files, and replacing them so that nothing is ever lost.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <sys/types.h>

namespace clrewrite {

/// Writes all of \p Text to \p FD; false with errno set on failure.
bool writeAll(int FD, llvm::StringRef Text);

/// The same by \p Put, which is given what is left and tells what it took of
/// that, as write() does.
bool writeAll(llvm::StringRef Text,
              llvm::function_ref<ssize_t(llvm::StringRef)> Put);

/// The bytes of \p Path. Fails on a directory, an unreadable file, one above
/// 64 MiB, and one that holds a NUL byte (not text). Where a walk of the folder
/// \p Within, a real path, has found it, it is opened beneath that: a link
/// that has taken its place is followed nowhere else.
llvm::Expected<std::string> readText(llvm::StringRef Path,
                                     llvm::StringRef Within = "");

/// The same of the file whose real path \p Real was: fails where a link has
/// taken the place of it or of a folder on the way.
llvm::Expected<std::string> readReal(llvm::StringRef Real);

/// What readText would say of a file \p Path that held \p Text.
llvm::Error checkText(llvm::StringRef Path, llvm::StringRef Text);

/// Fails, with the reason, where replaceText would have to refuse \p Path:
/// a file without any write permission is left alone, whoever asks.
llvm::Error checkWritable(llvm::StringRef Path);

/// Replaces the content of \p Path in one step (a temporary file beside it,
/// then rename), with the same mode and owner. A symbolic link stays, and the
/// file that it names is replaced. Interrupted at any moment, either the old
/// or the new content stands there.
llvm::Error replaceText(llvm::StringRef Path, llvm::StringRef Text);

/// replaceText for a file that was read: \p Real was its real path then, and
/// \p Old its content. Where either is another by now, in the very moment of
/// the change, it is left as it is, and that is an error.
llvm::Error exchangeText(llvm::StringRef Path, const std::string &Real,
                         const std::string &Old, llvm::StringRef New);

/// replaceText where \p Path may not exist yet; a pipe or a device is written
/// to. A link to a file is an error, and so is a folder that is a link of a
/// repository's out of it.
llvm::Error putText(llvm::StringRef Path, llvm::StringRef Text);

/// putText, with the folders made that \p Path stands in.
llvm::Error putInFolders(llvm::StringRef Path, llvm::StringRef Text);

} // namespace clrewrite
