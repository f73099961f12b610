// The manual page clrewrite(1), in the man macros.
#include "Generate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

/// What the libraries and tools read from the environment (a test holds this
/// to the source).
static constexpr std::pair<StringLiteral, StringLiteral> Environment[] = {
    {"CLREWRITE_CACHE_DIR",
     "Where results are kept from run to run; empty: nowhere. Default: "
     "clrewrite in XDG_CACHE_HOME, or in ~/.cache. A folder that others can "
     "write to is not used, but with CLREWRITE_CACHE_KEY."},
    {"CLREWRITE_CACHE_KEY",
     "A file of 32 random bytes, the key of a cache that several hosts or "
     "users share: CLREWRITE_CACHE_DIR may then be a folder that others can "
     "write to, on a network file system too (docs/fleet.md)."},
    {"CLREWRITE_CACHE_URL", "A store behind that folder, http:// or https://, "
                            "which takes GET and PUT; "
                            "with CLREWRITE_CACHE_KEY alone (docs/fleet.md)."},
    {"CLREWRITE_CACHE_AUTHORIZATION",
     "A file, which others can't read, with the line that the store wants "
     "behind Authorization:, such as Bearer TOKEN."},
    {"XDG_STATE_HOME",
     "The folder of clrewrite/cache.key, the user's key for that cache. "
     "Default: ~/.local/state."},
    {"CLREWRITE_DEVICE_FOLDER",
     "A folder that kernels and their driver may write in place of a new one "
     "for each run, so that a driver finds there what it has compiled before. "
     "For one's own kernels: what others' kernels leave there changes later "
     "runs."},
    {"CLREWRITE_DEVICE_LIBS",
     "Directory of AMD's device libraries or libclc, as --device-libs."},
    {"CLREWRITE_READABLE",
     "Folders, with colons between, whose files sources may include without "
     "-I, and that configurations, captures and editors may name by -I; git "
     "clrewrite sets it."},
    {"CLREWRITE_RESOURCE_DIR",
     "Clang's resource directory, in which include/opencl-c-base.h is."},
    {"CLREWRITE_SANDBOX",
     "Which layers of the sandbox are left out, for tests; off is all "
     "of them (docs/verify.md)."},
    {"ROCM_PATH", "Where ROCm is installed (default /opt/rocm)."},
    {"CUDA_PATH, CUDA_HOME",
     "Where the CUDA toolkit is installed, for its libdevice. ptxas is found "
     "on PATH."},
    {"NO_COLOR", "Where it is set, no colours."},
    {"OPENCL_LAYERS", "Layers of the ICD loader; capture puts its own first."},
};

static constexpr std::pair<StringLiteral, StringLiteral> Examples[] = {
    {"clrewrite kernel.cl -- -D T=float -I include",
     "Report what would pay on the default targets; build options stand after "
     "--."},
    {"clrewrite --target=gfx906,hawaii --fix kernel.cl",
     "Write the edits that pay on one of two GPUs and cost nothing on the "
     "other."},
    {"clrewrite --fix - < in.cl > out.cl", "As a filter, for editors."},
    {"clrewrite capture -- ./program",
     "Record what a program builds and launches; clrewrite "
     "--capture=clrewrite-capture --fix then rewrites its kernels."},
    {"clrewrite --explain=serialise-vload", "Read about a rewrite."},
};

/// \p Text such that troff prints it letter by letter.
static std::string plain(StringRef Text) {
  std::string Out;
  for (char C : Text)
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else if (C == '\'')
      Out += "\\(aq";
    else if (C == '~')
      Out += "\\(ti";
    else if (C == '^')
      Out += "\\(ha";
    else
      Out += C;
  return Out.rfind('.', 0) == 0 ? "\\&" + Out : Out;
}

/// \p Text in lines that diff and reviewers can read.
static void paragraph(raw_ostream &OS, StringRef Text) {
  SmallVector<StringRef> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  std::string Line;
  for (StringRef Word : Words) {
    std::string Next = plain(Word);
    if (!Line.empty() && Line.size() + 1 + Next.size() > 78) {
      OS << Line << "\n";
      Line.clear();
    }
    Line += (Line.empty() ? "" : " ") + Next;
  }
  OS << Line << "\n";
}

static void tagged(raw_ostream &OS, const Twine &Tag, StringRef Text) {
  OS << ".TP\n" << Tag << "\n";
  paragraph(OS, Text);
}

static void writeOptions(raw_ostream &OS, const CommandEntry &C,
                         StringRef Heading) {
  std::string Category;
  for (const config::Option &O : C.Options) {
    if (O.category() != Category && O.category() != "General options")
      OS << Heading << " " << plain(O.category()) << "\n";
    Category = O.category();
    std::string Short = O.Short.empty() ? "" : "\\fB\\-" + O.Short + "\\fR, ";
    tagged(OS, Short + "\\fB" + plain(O.spelling()) + "\\fR", O.Help);
    for (const config::OptionValue &V : O.Values) {
      OS << ".RS\n";
      tagged(OS, "\\fB" + plain(V.Name) + "\\fR", V.Help);
      OS << ".RE\n";
    }
  }
}

static void writeCommand(raw_ostream &OS, const CommandEntry &C) {
  OS << ".SS clrewrite " << plain(C.Name) << "\n";
  for (const std::string &Line : C.Usage)
    OS << ".B clrewrite " << plain(C.Name + " " + Line) << "\n.br\n";
  SmallVector<StringRef> Paragraphs;
  StringRef(C.Description).split(Paragraphs, '\n');
  for (StringRef P : Paragraphs) {
    OS << ".PP\n";
    paragraph(OS, P);
  }
  if (C.Name == "measure" || C.Name == "devices") {
    // They share options that are told above.
    std::vector<std::string> Names;
    for (const config::Option &O : C.Options)
      Names.push_back("\\fB\\-\\-" + plain(O.Name) + "\\fR");
    OS << ".PP\nOptions, as above:\n" << join(Names, ",\n") << ".\n";
  } else {
    writeOptions(OS, C, ".PP\n");
  }
}

void writeManPage(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  const CommandEntry &Main = Table.front();
  auto [About, Codes] = StringRef(Main.Description).split('\n');
  OS << ".\\\" Made by clrewrite --generate=man.\n"
        ".TH CLREWRITE 1 \"\" \"clrewrite " CLREWRITE_VERSION
        "\" \"User Commands\"\n"
        ".SH NAME\n"
        "clrewrite \\- rewrite OpenCL C kernels so that they need fewer "
        "registers\n"
        ".SH SYNOPSIS\n";
  StringRef Break;
  for (const CommandEntry &C : Table)
    for (const std::string &Line : C.Usage) {
      OS << Break << ".B clrewrite"
         << (C.Name.empty() ? "" : " " + plain(C.Name)) << "\n"
         << plain(Line) << "\n";
      Break = ".br\n";
    }
  OS << ".SH DESCRIPTION\n";
  paragraph(OS, About);
  for (StringRef Text :
       {"Registers, spills, scratch, LDS and occupancy are those of LLVM's "
        "back ends, for any GPU that they know; no GPU and no vendor SDK is "
        "needed. Where there is an OpenCL device, kernels are run before and "
        "after their edits, and every byte that they leave is compared.",
        "Files are OpenCL C, or C and C++ with kernels in raw string literals; "
        "folders are searched for them; - is standard input."}) {
    OS << ".PP\n";
    paragraph(OS, Text);
  }
  OS << ".SH OPTIONS\n";
  writeOptions(OS, Main, ".SS");
  OS << ".SS About clrewrite\n";
  tagged(OS, "\\fB\\-\\-help\\fR", "What is used every day.");
  tagged(OS, "\\fB\\-\\-help\\-all\\fR", "Every option.");
  tagged(OS, "\\fB\\-\\-version\\fR",
         "The version, and the back ends, built-in libraries and programs "
         "that this clrewrite works with.");
  tagged(OS, "\\fB\\-\\-generate=<what>\\fR",
         "Print this page (man), or a shell's completion (bash, zsh, fish).");
  OS << ".SH COMMANDS\n";
  for (const CommandEntry &C : Table.drop_front())
    writeCommand(OS, C);
  OS << ".SH EXIT STATUS\n";
  Codes.consume_front("Exit codes: ");
  paragraph(OS, Codes);
  OS << "Those of the commands are told with them.\n.SH ENVIRONMENT\n";
  for (const auto &[Name, Text] : Environment)
    tagged(OS, "\\fB" + plain(Name) + "\\fR", Text);
  OS << ".SH EXAMPLES\n";
  for (const auto &[Line, Text] : Examples)
    tagged(OS, "\\fB" + plain(Line) + "\\fR", Text);
  OS << ".SH SEE ALSO\n"
        ".BR clrewrite\\-device (1),\n"
        ".BR git\\-clrewrite (1)\n"
        ".PP\nThe pages in the folder doc of the package.\n";
}

} // namespace clrewrite::cli
