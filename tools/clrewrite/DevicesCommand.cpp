// clrewrite devices: which devices there are, and what can be read from each.
#include "CommandLine.h"
#include "Commands.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

static StringRef text(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("unknown");
}

static void print(const json::Object &D) {
  const json::Object None, *P = D.getObject("platform");
  P = P ? P : &None;
  outs() << formatv("{0}: {1} ({2})\n", D.getInteger("index").value_or(0),
                    text(D, "name").trim(), text(D, "type"))
         << formatv("   platform      {0}, {1}\n", text(*P, "name"),
                    text(*P, "version"))
         << formatv("   device        {0}, {1}, driver {2}\n",
                    text(D, "version"), text(D, "opencl_c"), text(D, "driver"));
  if (const json::Array *Layers = D.getArray("sandbox")) {
    std::string List;
    for (const json::Value &Each : *Layers)
      List +=
          (List.empty() ? "" : ", ") + Each.getAsString().value_or("").str();
    outs() << "   sandbox       " << (List.empty() ? "none" : List) << "\n";
  }
  if (!D.getBoolean("runs_kernels").value_or(true))
    outs() << "                 too little for kernels that nobody has looked "
              "at: they run\n                 with --allow-native alone, or to "
              "be verified in oclgrind\n                 where that is "
              "installed\n";
  const json::Array *Readable = D.getArray("readable");
  for (const json::Value &Each : Readable ? *Readable : json::Array())
    if (const json::Object *R = Each.getAsObject()) {
      std::string Figures = text(*R, "figures").str();
      for (char &C : Figures)
        C = C == ' ' ? ',' : C;
      outs() << formatv("   can be read   {0}\n                 from {1}\n",
                        Figures, text(*R, "from"));
    }
}

int devicesCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "devices", O))
    return 2;
  if (O.Form != config::Format::Text && O.Form != config::Format::Json)
    return fail("clrewrite devices has the formats text and json");
  Expected<std::unique_ptr<opencl::DeviceClient>> Client =
      startDevice(O, Argv[0]);
  if (!Client)
    return fail(toString(Client.takeError()));
  opencl::DeviceAnswer A = (*Client)->call(json::Object{{"job", "devices"}});
  if (!A.ok())
    return fail("the device program " + A.Problem);
  json::Array List;
  if (json::Array *Devices = A.Body.getArray("devices"))
    List = std::move(*Devices);
  if (O.Form == config::Format::Json) {
    outs() << formatv(
        "{0:2}\n",
        json::Value(json::Object{{"schema", 1}, {"devices", std::move(List)}}));
    return 0;
  }
  if (List.empty())
    outs() << "no OpenCL devices: " << opencl::NoDeviceRemedy << "\n";
  for (const json::Value &D : List)
    if (const json::Object *Each = D.getAsObject())
      print(*Each);
  return 0;
}

} // namespace clrewrite::cli
