// Main of a fuzz target without libFuzzer: feeds it every file named, or found in a folder named.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char* words[]) {
  std::set<std::filesystem::path> inputs;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(words[i]))
      inputs.insert(words[i]);
    else
      for (const auto& entry : std::filesystem::recursive_directory_iterator{words[i]})
        if (entry.is_regular_file()) inputs.insert(entry.path());
  }
  for (const auto& path : inputs) {
    std::ifstream in{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::cout << inputs.size() << " inputs\n";
  return inputs.empty() ? 1 : 0;
}
