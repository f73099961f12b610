// The times of launches, gathered as their events complete.
//
// A launch is over long after the call that asked for it. Nothing may block the
// program, and callbacks would cost it threads; so the events of launches are
// kept, a queue's in their order, and asked at moments when the program itself
// has just waited for something, or launches more.
#pragma once

#include "Objects.h"

namespace clrewrite::layer {

/// True where another launch of \p Q can be timed now.
bool canTime(Queue &Q);
/// Keeps \p Event, whose reference is now the layer's, as that of a launch that
/// stands for \p Weight launches.
void addPending(Queue &Q, cl_event Event, Launch &Of, unsigned Weight);
/// To be told of events that have left \p Q.
void tookUntimed(Queue &Q, size_t Count);
/// Takes the times of those launches of \p Q that are over.
void harvest(Queue &Q);
/// Does the same for all queues.
void harvestAll();

} // namespace clrewrite::layer
