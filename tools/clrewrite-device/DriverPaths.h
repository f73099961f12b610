// Where OpenCL drivers and their compilers lie, and what else they look at.
#pragma once

#include "Landlock.h"

namespace clrewrite::device {

/// The paths that stay open for drivers; Write is left empty. Reads the
/// environment and the ICD loader's folders, as drivers will.
OpenPaths driverPaths();

/// Forgets all of the environment but what drivers and loaders read. A
/// kernel's code could read the rest in this process's memory, such as the
/// secrets of a CI job.
void forgetEnvironment();

} // namespace clrewrite::device
