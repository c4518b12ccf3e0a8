// Compare an engine with a golden file: g++ -std=c++17 -I FOLDER golden.cpp -o golden; ./golden FILE
// FOLDER has engine.h, which defines encode, and decode, both std::nullopt for what is refused:
//   std::optional<std::vector<long>> encode(const std::string& utf8);
//   std::optional<std::string> decode(const std::vector<long>& ids);  // UTF-8
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>
#include "engine.h"

// The value of a key up to its end. No string of a line has an unescaped quote, so a key is unique.
std::string value(const std::string& line, const std::string& key, char end) {
  size_t at = line.find("\"" + key + "\":") + key.size() + 3;
  return line.substr(at, line.find(end, at + 1) - at);
}
std::optional<std::string> from_hex(const std::string& shown) {
  if (shown[0] != '"') return std::nullopt;
  std::string bytes;
  for (size_t at = 1; at + 1 < shown.size(); at += 2)
    bytes += std::stoi(shown.substr(at, 2), nullptr, 16);
  return bytes;
}
int main(int, char** words) {
  std::ifstream file(words[1], std::ios::binary);
  std::string header, line;
  std::getline(file, header);
  std::string rest((std::istreambuf_iterator<char>(file)), {});
  uint32_t crc = ~0u;
  for (unsigned char byte : rest)
    for (int bit = (crc ^= byte, 0); bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  char shown[9];
  std::snprintf(shown, sizeof shown, "%08x", ~crc);
  if (header.rfind("{\"format\":\"tokharness golden\",\"version\":1,", 0) != 0 ||
      header.find("\"crc32\":\"" + std::string(shown) + "\"") == std::string::npos)
    return std::cerr << "another format, or a damaged file\n", 2;
  long texts = 0, differing = 0, left = 0;
  for (std::istringstream lines(rest); std::getline(lines, line); texts++) {
    std::optional<std::string> text = from_hex(value(line, "utf8", ','));
    if (!text && ++left) continue;  // a lone surrogate has no UTF-8
    std::optional<std::vector<long>> ids;
    std::string list = value(line, "ids", line.find("\"ids\":[") == std::string::npos ? ',' : ']');
    if (list[0] == '[') {
      std::istringstream numbers(list.substr(1));
      for (ids.emplace(); std::getline(numbers, list, ',');) ids->push_back(std::stol(list));
    }
    std::optional<std::string> decoded = from_hex(value(line, "decoded", ','));
    bool same = encode(*text) == ids && (!ids || !decoded || decode(*ids) == decoded);
    if (!same && ++differing <= 10) std::cout << "differs: " << line << "\n";
  }
  std::cout << differing << " of " << texts << " texts differ; " << left << " have no UTF-8\n";
  return differing ? 1 : 0;
}
