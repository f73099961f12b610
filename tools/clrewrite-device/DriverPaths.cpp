// The folders of drivers: the system's, and those that ICD files name.
#include "DriverPaths.h"
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

namespace clrewrite::device {
namespace {

using Paths = std::vector<std::string>;

std::string variable(const char *Name) {
  const char *Value = ::getenv(Name);
  return Value ? Value : "";
}

std::string folderOf(const std::string &Path) {
  size_t Slash = Path.rfind('/');
  return Slash == std::string::npos || Slash == 0 ? "" : Path.substr(0, Slash);
}

void addMatches(Paths &To, const char *Pattern) {
  glob_t Found = {};
  if (::glob(Pattern, 0, nullptr, &Found) == 0)
    To.insert(To.end(), Found.gl_pathv, Found.gl_pathv + Found.gl_pathc);
  ::globfree(&Found);
}

/// The parts of \p List between colons.
void addParts(Paths &To, const std::string &List) {
  for (size_t At = 0; At < List.size();) {
    size_t End = std::min(List.find(':', At), List.size());
    if (End > At)
      To.push_back(List.substr(At, End - At));
    At = End + 1;
  }
}

/// The folder of a driver's library; where that is called lib, all of the
/// driver's installation, which has the compiler's own headers. Never a home.
void addLibrary(Paths &To, const std::string &Library) {
  std::string Folder = Library[0] == '/' ? folderOf(Library) : "";
  if (Folder.empty())
    return;
  To.push_back(Folder);
  std::string Above = folderOf(Folder);
  bool IsLib = Folder.compare(Above.size(), 4, "/lib") == 0;
  if (IsLib && !Above.empty() && Above != variable("HOME"))
    To.push_back(Above);
}

/// The library that an ICD file names, in its first line.
void addIcd(Paths &To, const std::string &Path) {
  FILE *F = std::fopen(Path.c_str(), "re");
  if (!F)
    return;
  char Line[PATH_MAX] = "";
  if (std::fgets(Line, sizeof Line, F)) {
    Line[std::strcspn(Line, "\r\n")] = 0;
    addLibrary(To, Line);
  }
  std::fclose(F);
}

void addVendors(Paths &To, const std::string &Folder) {
  if (Folder.empty())
    return;
  To.push_back(Folder);
  Paths Files;
  addMatches(Files, (Folder + "/*.icd").c_str());
  for (const std::string &File : Files)
    addIcd(To, File);
}

Paths readPaths() {
  Paths Out = {"/usr",
               "/lib",
               "/lib32",
               "/lib64",
               "/libx32",
               "/bin",
               "/sbin",
               "/opt",
               "/nix/store",
               "/gnu/store",
               "/run/opengl-driver",
               "/etc/OpenCL",
               "/etc/ld.so.cache",
               "/etc/ld.so.conf",
               "/etc/ld.so.conf.d",
               "/etc/ld.so.preload",
               "/etc/alternatives",
               "/etc/os-release",
               "/etc/debian_version",
               "/etc/lsb-release",
               "/etc/redhat-release",
               "/etc/localtime",
               "/etc/locale.alias",
               "/etc/nvidia",
               "/sys",
               "/proc/self",
               "/proc/cpuinfo",
               "/proc/meminfo",
               "/proc/filesystems",
               "/proc/stat",
               "/proc/version",
               "/proc/devices",
               "/proc/modules",
               "/proc/driver",
               "/proc/sys/vm",
               "/proc/sys/kernel",
               "/dev/null",
               "/dev/zero",
               "/dev/random",
               "/dev/urandom"};
  addVendors(Out, "/etc/OpenCL/vendors");
  addVendors(Out, variable("OPENCL_VENDOR_PATH"));
  std::string Vendors = variable("OCL_ICD_VENDORS");
  struct stat S = {};
  if (::stat(Vendors.c_str(), &S) == 0 && S_ISDIR(S.st_mode))
    addVendors(Out, Vendors);
  else if (!Vendors.empty()) {
    Out.push_back(Vendors);
    addIcd(Out, Vendors);
    addLibrary(Out, Vendors);
  }
  Paths Libraries;
  addParts(Libraries, variable("OCL_ICD_FILENAMES"));
  for (const std::string &Library : Libraries)
    addLibrary(Out, Library);
  addParts(Out, variable("LD_LIBRARY_PATH"));
  for (const char *Name : {"ROCM_PATH", "HIP_PATH", "CUDA_PATH"})
    Out.push_back(variable(Name));
  return Out;
}

/// Adds "ld", "ld.gold", "x86_64-linux-gnu-ld", "x86_64-linux-gnu-ld.bfd". The
/// folder has thousands of programs, so that it is read once, for all of them.
void addLinkers(Paths &To, const std::string &Folder) {
  DIR *List = ::opendir(Folder.c_str());
  if (!List)
    return;
  while (dirent *Entry = ::readdir(List)) {
    std::string Name = Entry->d_name;
    size_t Dash = Name.rfind("-ld");
    bool EndsSo = Dash != std::string::npos && Dash + 3 == Name.size();
    if (Name == "ld" || Name.rfind("ld.", 0) == 0 || EndsSo ||
        Name.find("-ld.") != std::string::npos)
      To.push_back(Folder + "/" + Name);
  }
  ::closedir(List);
}

} // namespace

OpenPaths driverPaths() {
  OpenPaths P;
  P.Read = readPaths();
  addLinkers(P.Execute, "/usr/bin");
  for (const char *Pattern :
       {"/usr/lib/llvm-*/bin/ld.lld", "/usr/lib/llvm-*/bin/lld",
        "/lib/ld-linux*", "/lib64/ld-linux*", "/lib/ld-musl*",
        "/lib/*-linux-*/ld-linux*"})
    addMatches(P.Execute, Pattern);
  for (const char *Pattern : {"/dev/nvidia*", "/dev/dri", "/dev/kfd",
                              "/dev/dxg", "/dev/mali*", "/dev/null"})
    addMatches(P.Devices, Pattern);
  return P;
}

void forgetEnvironment() {
  static constexpr const char *Kept[] = {
      "PATH=",   "LANG",      "LC_",     "TZ=",   "LD_LIBRARY_PATH=",
      "OCL_",    "OCLGRIND_", "OPENCL_", "POCL_", "CUDA_",
      "NVIDIA_", "GPU_",      "HSA_",    "ROC",   "AMD_",
      "HIP_",    "NEO",       "IGC_",    "SYCL_", "ZE_",
      "MESA_",   "RUSTICL_",  "HWLOC_",  "ASAN_", "UBSAN_"};
  char **To = environ;
  for (char **From = environ; *From; ++From) {
    bool Keep = false;
    for (const char *Name : Kept)
      Keep |= !std::strncmp(*From, Name, std::strlen(Name));
    if (Keep)
      *To++ = *From;
    else
      ::explicit_bzero(*From, std::strlen(*From));
  }
  *To = nullptr;
}

} // namespace clrewrite::device
