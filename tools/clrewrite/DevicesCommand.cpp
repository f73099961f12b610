// clrewrite devices: which devices there are, and what can be read from each.
#include "CommandLine.h"
#include "Commands.h"
#include "measure/device/DeviceTargets.h"
#include "measure/device/Reference.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
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

/// The devices of \p Client; fails where it does not tell them.
static Expected<json::Array> devicesOf(opencl::DeviceChannel &Client) {
  opencl::DeviceAnswer A = Client.call(json::Object{{"job", "devices"}});
  if (!A.ok())
    return createStringError("the device program " + A.Problem);
  json::Array List;
  if (json::Array *Devices = A.Body.getArray("devices"))
    List = std::move(*Devices);
  return std::move(List);
}

/// Puts the time of the reference kernel on each of \p List into it, in
/// nanoseconds, or why there is none.
static void addReferences(opencl::DeviceChannel &Client, json::Array &List) {
  Expected<std::vector<measure::Target>> Targets = measure::resolveDevices(
      cantFail(measure::parseTarget("device:all")), Client);
  if (!Targets) {
    consumeError(Targets.takeError()); // it has none
    return;
  }
  for (auto [D, T] : zip(List, *Targets)) {
    json::Object *O = D.getAsObject();
    if (!O || !measure::hasReference(T))
      continue;
    Expected<double> Took = measure::referenceTime(Client, T.Device);
    if (Took)
      (*O)["reference_ns"] = *Took;
    else
      (*O)["reference_problem"] = toString(Took.takeError());
  }
}

/// A machine as a row of its own for each device. False where it gives no
/// answer.
static bool tellHost(const run::FarmHost &Host, const config::Options &O,
                     json::Array &Into) {
  json::Object Told{{"host", Host.Name}, {"problem", nullptr}};
  json::Array List;
  auto Client = run::startDevice(O, Host);
  Error Wrong = Client.takeError();
  if (!Wrong)
    Wrong = devicesOf(**Client).moveInto(List);
  bool Answers = !Wrong;
  if (Answers)
    addReferences(**Client, List);
  else
    Told["problem"] = toString(std::move(Wrong));
  if (O.Form == config::Format::Text) {
    if (!Answers)
      outs() << printable(*Told.getString("problem")) << "\n";
    else if (List.empty())
      outs() << printable(Host.Name) << ": no OpenCL devices\n";
    for (const json::Value &D : List) {
      const json::Object None, *Each = D.getAsObject();
      Each = Each ? Each : &None;
      outs() << printable((Host.Name + "/" + text(*Each, "name").trim() + " (" +
                           text(*Each, "type") + ", driver " +
                           text(*Each, "driver") + ")")
                              .str());
      if (auto Took = Each->getNumber("reference_ns"))
        outs() << formatv(": reference kernel {0:f1} us", *Took / 1e3);
      else if (auto Why = Each->getString("reference_problem"))
        outs() << ": reference kernel: " << printable(*Why);
      outs() << "\n";
    }
  }
  Told["devices"] = std::move(List);
  Into.push_back(std::move(Told));
  return Answers;
}

/// Tells the machines of a farm; those that give no answer are told as such,
/// and the others are.
static int tellFarm(const config::Options &O) {
  Expected<std::vector<run::FarmHost>> Hosts = run::readFarm(O.Farm);
  if (!Hosts)
    return fail(toString(Hosts.takeError()));
  json::Array All;
  bool Answer = true;
  for (const run::FarmHost &Host : *Hosts)
    Answer &= tellHost(Host, O, All);
  if (O.Form == config::Format::Json)
    outs() << formatv(
        "{0:2}\n",
        json::Value(json::Object{{"schema", 1}, {"hosts", std::move(All)}}));
  return Answer ? Clean : Failed;
}

int devicesCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "devices", O))
    return 2;
  if (O.Form != config::Format::Text && O.Form != config::Format::Json)
    return fail("clrewrite devices has the formats text and json");
  if (!O.Farm.empty())
    return tellFarm(O);
  Expected<std::unique_ptr<opencl::DeviceClient>> Client =
      startDevice(O, Argv[0]);
  if (!Client)
    return fail(toString(Client.takeError()));
  Expected<json::Array> Found = devicesOf(**Client);
  if (!Found)
    return fail(toString(Found.takeError()));
  json::Array List = std::move(*Found);
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
