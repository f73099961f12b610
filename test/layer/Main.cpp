// The host program of the layer's tests: layer-host MODE [arguments].
#include "Host.h"

int main(int Argc, char **Argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0); // what a crash would take with it
  std::string Mode = Argc > 1 ? Argv[1] : "";
  unsigned Number = Argc > 2 ? unsigned(atoi(Argv[2])) : 1000;
  unsigned Items = Argc > 3 ? unsigned(atoi(Argv[3])) : 16384;
  if (Mode == "calls")
    return callsMain();
  if (Mode == "memory")
    return memoryMain();
  if (Mode == "programs")
    return programsMain();
  if (Mode == "linked")
    return linkedMain();
  if (Mode == "threads")
    return threadsMain();
  if (Mode == "planned")
    return plannedMain();
  if (Mode == "apart")
    return apartMain();
  if (Mode == "many" || Mode == "killed")
    return manyMain(Number, Items, Mode == "killed");
  if (Mode == "alone" && Argc > 2)
    return aloneMain(Argv[2], Argc > 3 ? Items : 100000);
  if (Mode == "accepted" && Argc > 2)
    return acceptedMain(Argv[2]);
  if (Mode == "extension" && Argc > 2)
    return extensionMain(Argv[2]);
  if (Mode == "again" && Argc > 2)
    return againMain(Argv[2]);
  fprintf(
      stderr,
      "layer-host "
      "calls|memory|programs|linked|threads|planned|apart|many|killed|alone|"
      "accepted|extension|again\n");
  return 2;
}
