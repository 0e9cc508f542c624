#include "sim/import/nccl_tests.hpp"

#include "sim/import/nccl_tests_json.hpp"
#include "sim/import/nccl_tests_text.hpp"

namespace dbsim {

NcclTests parse_nccl_tests(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  return json ? parse_nccl_tests_json(text, file) : parse_nccl_tests_text(text, file);
}

}  // namespace dbsim
