#include "sim/report/profile_text.hpp"

#include <sstream>
#include <string>

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

ProfileDocument everything() {
  ProfileDocument document;
  document.device = {"NVIDIA T4", Bytes{15.8e9}, "535.104", "1590 MHz", ""};
  document.model = {"resnet18", {3, 32, 32}, Bytes{44.7e6}, "fp32"};
  document.source = "somebody";
  document.remarks = {"Be careful."};
  document.points = {
      {.batch = Samples{32},
       .step = {.median = 0.040, .cv = 0.01, .low = 0.039, .high = 0.041, .repetitions = 15},
       .forward = TimeStatistics{.median = 0.0125},
       .backward = TimeStatistics{.median = 0.025},
       .update = TimeStatistics{.median = 0.0025},
       .memory = Bytes{512e6}},
      {.batch = Samples{4096}, .step = {.median = 2.56}}};
  document.max_batch = Samples{4096};
  document.buckets = {{Bytes{25e6}, 0.5}, {Bytes{19.7e6}, 1.0}};
  document.interference = {{"compute", 2.0, 1.5}};
  return document;
}

}  // namespace

TEST_CASE("a profile is shown with all that it knows", "[table]") {
  // By hand: 32 / 0.040 = 800 samples a second, +- 0.001 / 0.040 = 2.5 %; 1250 and 625 us a sample,
  // so the second bar is half as long as the first.
  CHECK(profile_text(everything(), {}) ==
        "device    NVIDIA T4, 15.8 GB, driver 535.104, clocks 1590 MHz\n"
        "model     resnet18, 3 x 32 x 32, fp32, 44.7 MB of gradients\n"
        "source    somebody\n"
        "limit     batch 4096 is the largest that fits\n"
        "\n"
        "batch   step  95 %  spread  times  samples  forward  backward  update  memory\n"
        "          ms  +- %       %           per s       ms        ms      ms      MB\n"
        "-----------------------------------------------------------------------------\n"
        "   32  40.00   2.5     1.0     15    800.0    12.50     25.00   2.500   512.0\n"
        " 4096   2560     -       -      -     1600        -         -       -       -\n"
        "\n"
        "time per sample, us\n"
        "        32  ######################################################## 1250\n"
        "      4096  ############################ 625.0\n"
        "\n"
        "bucket     size          ready\n"
        "                 % of backward\n"
        "------------------------------\n"
        "     1    25 MB           50.0\n"
        "     2  19.7 MB          100.0\n"
        "\n"
        "background load  intensity     step takes\n"
        "                            times as long\n"
        "-----------------------------------------\n"
        "compute                  2           1.50\n"
        "\n"
        "Remarks\n"
        "  Be careful.\n");
}

TEST_CASE("a profile that knows little has few columns", "[table]") {
  ProfileDocument document;
  document.device.name = "d";
  document.model.name = "m";
  document.points = {{.batch = Samples{1}, .step = {.median = 0.0000125}},
                     {.batch = Samples{2}, .step = {.median = 0.0000125}}};
  CHECK(profile_text(document, {}) ==
        "device    d\n"
        "model     m\n"
        "\n"
        "batch    step  samples\n"
        "           ms    per s\n"
        "----------------------\n"
        "    1  0.0125    80000\n"
        "    2  0.0125   160000\n"
        "\n"
        "time per sample, us\n"
        "         1  ######################################################## 12.50\n"
        "         2  ############################ 6.250\n");
}

TEST_CASE("no line of a profile is wider than the terminal", "[table]") {
  ProfileDocument document = everything();
  document.source = document.remarks.front() = std::string(50, 'x') + " " + std::string(50, 'y');
  std::istringstream lines{profile_text(document, {})};
  for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 80);
}

TEST_CASE("a comparison marks what was not measured", "[table]") {
  const std::vector<ProfileDifference> rows{
      {.batch = Samples{8},
       .first = 0.1,
       .second = 0.2,
       .first_measured = true,
       .second_measured = true,
       .intervals_overlap = false},
      {.batch = Samples{16}, .first = 0.2, .second = 0.3, .first_measured = true}};
  CHECK(comparison_text(rows, {}) ==
        "batch   first  second  second / first  intervals\n"
        "          ms      ms\n"
        "------------------------------------------------\n"
        "    8  100.0   200.0            2.000  apart\n"
        "   16  200.0   300.0*           1.500  -\n"
        "* not measured, told from its neighbours\n");
}
