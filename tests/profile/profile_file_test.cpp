#include "sim/profile/profile_file.hpp"

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

ProfileDraft read_inline(const char* toml, std::vector<Problem>& problems) {
  ProfileDraft draft;
  const Document document = Document::toml(toml, "p.toml");
  document.read([&](Fields& fields) { describe_inline_profile(fields, draft); }, problems);
  return draft;
}

std::string problems_of(const char* toml) {
  std::vector<Problem> problems;
  (void)read_inline(toml, problems);
  return problems.empty() ? "" : to_text(problems.front());
}

}  // namespace

TEST_CASE("a profile written as points passes through them", "[profile]") {
  std::vector<Problem> problems;
  ProfileDraft draft = read_inline(
      "batch = [2, 32, 128]\nstep_time = [\"42 ms\", \"148 ms\", \"475 ms\"]\nmax_batch = 256",
      problems);
  REQUIRE(problems.empty());
  const Profile profile = finish(std::move(draft));
  CHECK(profile.step_time.at(Samples{32}).count() == Approx(0.148));
  CHECK(profile.step_time.at(Samples{128}).count() == Approx(0.475));
  CHECK(profile.max_batch == Samples{256});
}

TEST_CASE("a profile written as a law holds for every batch", "[profile]") {
  std::vector<Problem> problems;
  const Profile profile =
      finish(read_inline("overhead = \"8.2 ms\"\nper_sample = \"0.68 ms\"", problems));
  REQUIRE(problems.empty());
  CHECK(profile.step_time.at(Samples{128}).count() == Approx(0.09524));
  CHECK_FALSE(profile.step_time.measured().has_value());
}

TEST_CASE("points and a law exclude each other, and one is needed", "[profile]") {
  CHECK_FALSE(problems_of("max_batch = 3").empty());
  CHECK_FALSE(problems_of("batch = [1, 2]\nstep_time = [\"1 ms\", \"2 ms\"]\nper_sample = \"1 ms\"")
                  .empty());
}

TEST_CASE("batches must rise, and each needs its time", "[profile]") {
  CHECK(problems_of("batch = [32, 2]\nstep_time = [\"1 ms\", \"2 ms\"]") ==
        "p.toml:1:9: batch: found 32 before 2; expected batch sizes that rise");
  CHECK(problems_of("batch = [2, 32]\nstep_time = [\"1 ms\"]") ==
        "p.toml:2:13: step_time: found 1 time for 2 batches; expected one time for each batch");
  CHECK(problems_of("batch = [2]\nstep_time = [\"1 ms\"]") ==
        "p.toml:1:9: batch: found 1 batch size; expected at least 2, so that other batches can be "
        "told from them");
}

TEST_CASE("the shipped profile files are good and keep the published step times", "[profile]") {
  const Profile v100 = load_profile(DBSIM_SOURCE_DIR "/scenarios/profiles/v100-resnet50.json");
  CHECK(v100.model == "resnet50-imagenet");
  CHECK(v100.step_time.at(Samples{64}).count() == Approx(0.0079 + 0.0625 + 0.1240 + 0.0046));
  CHECK(v100.parameter_bytes->count() == 102'228'128.0);
}
