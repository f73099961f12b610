// A job's members are looked up and checked, and the first that is wrong is
// named.
#include "Request.h"
#include "Base64.h"

namespace clrewrite::device {

void Request::fail(const char *Name, const std::string &Expected) {
  if (Wrong.empty())
    Wrong = Path + Name + ": " + Expected;
}

const Json *Request::find(const char *Name) const {
  auto Found = Object.find(Name);
  return Found == Object.end() || Found->is_null() ? nullptr : &*Found;
}

bool Request::has(const char *Name) const { return find(Name); }

std::string Request::text(const char *Name, const char *Default) {
  const Json *Value = find(Name);
  if (Value && Value->is_string())
    return Value->get<std::string>();
  if (Value || !Default)
    fail(Name, "expected a string");
  return Default ? Default : "";
}

uint64_t Request::count(const char *Name, std::optional<uint64_t> Default,
                        uint64_t Most) {
  const Json *Value = find(Name);
  if (!Value && Default)
    return *Default;
  if (Value && Value->is_number_unsigned() && Value->get<uint64_t>() <= Most)
    return Value->get<uint64_t>();
  fail(Name, "expected a whole number from 0 to " + std::to_string(Most));
  return 0;
}

bool Request::flag(const char *Name, bool Default) {
  const Json *Value = find(Name);
  if (Value && Value->is_boolean())
    return Value->get<bool>();
  if (Value)
    fail(Name, "expected true or false");
  return Default;
}

std::vector<size_t> Request::sizes(const char *Name, bool Needed) {
  std::vector<size_t> Sizes;
  const Json *Value = find(Name);
  if (!Value && !Needed)
    return Sizes;
  bool Good =
      Value && Value->is_array() && !Value->empty() && Value->size() <= 3;
  for (size_t I = 0; Good && I < Value->size(); ++I) {
    Good = (*Value)[I].is_number_unsigned();
    if (Good)
      Sizes.push_back((*Value)[I].get<size_t>());
  }
  if (!Good)
    fail(Name, "expected a list of one to three whole numbers");
  return Sizes;
}

std::string Request::bytes(const char *Name) {
  std::string Encoded = std::string(Name) + "_base64";
  if (!has(Encoded.c_str()))
    return text(Name);
  auto Bytes = decodeBase64(text(Encoded.c_str()));
  if (!Bytes) {
    fail(Encoded.c_str(), "expected base64");
    return "";
  }
  return std::string(Bytes->begin(), Bytes->end());
}

} // namespace clrewrite::device
