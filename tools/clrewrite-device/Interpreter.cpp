// Finding oclgrind's library, which the program `oclgrind` preloads as a rule.
#include "Interpreter.h"
#include <climits>
#include <cstdlib>
#include <glob.h>
#include <unistd.h>

namespace clrewrite::device {

/// The folder above that of \p Program, with links followed; empty for none.
static std::string installationOf(const std::string &Program) {
  char Real[PATH_MAX];
  if (Program[0] != '/' || ::access(Program.c_str(), X_OK) ||
      !::realpath(Program.c_str(), Real))
    return "";
  std::string Path = Real;
  for (int I = 0; I < 2; ++I)
    Path.erase(Path.rfind('/'));
  return Path;
}

static std::string firstMatch(const std::string &Pattern) {
  glob_t Found = {};
  std::string Out;
  if (::glob(Pattern.c_str(), 0, nullptr, &Found) == 0 && Found.gl_pathc)
    Out = Found.gl_pathv[0];
  ::globfree(&Found);
  return Out;
}

static std::string findLibrary() {
  const char *List = ::getenv("PATH");
  std::string Folders = List ? List : "";
  for (size_t At = 0; At < Folders.size();) {
    size_t End = std::min(Folders.find(':', At), Folders.size());
    std::string Top =
        installationOf(Folders.substr(At, End - At) + "/oclgrind");
    if (!Top.empty())
      for (const char *Where : {"/lib/oclgrind/", "/lib/", "/lib64/oclgrind/",
                                "/lib64/", "/lib/*/oclgrind/", "/lib/*/"})
        if (std::string Library =
                firstMatch(Top + Where + "liboclgrind-rt-icd.so");
            !Library.empty())
          return Library;
    At = End + 1;
  }
  return "";
}

bool useInterpreter() {
  std::string Library = findLibrary();
  if (Library.empty())
    return false;
  // ocl-icd knows the first of them, Khronos's loader the second.
  ::setenv("OCL_ICD_VENDORS", Library.c_str(), /*overwrite=*/1);
  ::setenv("OCL_ICD_FILENAMES", Library.c_str(), /*overwrite=*/1);
  ::unsetenv("OPENCL_VENDOR_PATH");
  return true;
}

} // namespace clrewrite::device
