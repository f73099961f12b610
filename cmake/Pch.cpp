// Exists so that the shared precompiled header has a target of its own.
