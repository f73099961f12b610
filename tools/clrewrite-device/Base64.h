// Base64 (RFC 4648), for bytes that travel in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clrewrite::device {

std::string encodeBase64(const uint8_t *Data, size_t Size);

/// The bytes of \p Text; none where it is not canonical padded base64.
std::optional<std::vector<uint8_t>> decodeBase64(std::string_view Text);

} // namespace clrewrite::device
