// The names that the capture has for OpenCL's numbers.
#pragma once

#include <CL/cl.h>
#include <string>
#include <vector>

namespace clrewrite::layer {

std::vector<std::string> flagNames(cl_mem_flags Flags);
// Each "" for a number that has no name here.
const char *imageTypeName(cl_mem_object_type Type);
const char *channelOrderName(cl_channel_order Order);
const char *channelTypeName(cl_channel_type Type);
const char *addressName(cl_addressing_mode Mode);
const char *filterName(cl_filter_mode Mode);

} // namespace clrewrite::layer
