#include "sim/report/profile_figure.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "sim/base/random.hpp"
#include "sim/figure/svg.hpp"
#include "tests/catch.hpp"
#include "tests/figure/picture.hpp"
#include "tests/support/draws.hpp"

using namespace dbsim;
using Catch::Contains;
using dbsim::test::coin;
using dbsim::test::Element;
using dbsim::test::elements_of;
using dbsim::test::panels_of;
using dbsim::test::parsed_svg;
using dbsim::test::Pixel;
using dbsim::test::ReadAxis;
using dbsim::test::some_text;
using dbsim::test::Xml;

namespace {

std::vector<NamedProfile> shipped_profiles() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator{DBSIM_SOURCE_DIR "/scenarios/profiles"}) {
    paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<NamedProfile> profiles;
  for (const std::string& path : paths) profiles.push_back({path, load_profile_document(path)});
  return profiles;
}

std::vector<Pixel> circles(const Xml& panel) {
  std::vector<Pixel> result;
  for (const Element& element : elements_of(panel)) {
    if (element.name == "circle") result.push_back({element.number("cx"), element.number("cy")});
  }
  return result;
}

std::string heading(const Xml& panel) {
  for (const Element& element : elements_of(panel)) {
    if (element.is("heading")) return element.tree.data();
  }
  return {};
}

double seconds_of_unit(const std::string& heading) {
  const std::map<std::string, double> units{{"s", 1.0}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}};
  return units.at(heading.substr(heading.find(", ") + 2));
}

/// A drawn dot is within a pixel's tenth of its value, and ticks reach around all of them.
void check_dots(const Xml& svg, const std::vector<NamedProfile>& profiles) {
  const std::vector<Xml> panels = panels_of(svg);
  REQUIRE(panels.size() >= 2);
  const double unit = seconds_of_unit(heading(panels[0]));
  for (std::size_t p = 0; p < 2; ++p) {
    const ReadAxis x{panels[p], "x"};
    const ReadAxis y{panels[p], "y"};
    const std::vector<Pixel> dots = circles(panels[p]);
    std::size_t next = 0;
    for (const NamedProfile& profile : profiles) {
      for (const ProfilePoint& point : profile.document.points) {
        const auto batch = static_cast<double>(point.batch.count());
        const double value = p == 0 ? point.step.median / unit : batch / point.step.median;
        REQUIRE(next < dots.size());
        CAPTURE(profile.file, batch, p);
        const Pixel dot = dots[next++];
        CHECK(std::abs(x.value_at(dot.x) - batch) <=
              std::abs(x.value_at(dot.x + 0.1) - x.value_at(dot.x)));
        CHECK(std::abs(y.value_at(dot.y) - value) <=
              std::abs(y.value_at(dot.y + 0.1) - y.value_at(dot.y)));
        CHECK(x.values().front() <= batch);
        CHECK(x.values().back() >= batch);
        CHECK(y.values().front() <= value * 1.000001);
        CHECK(y.values().back() >= value * 0.999999);
      }
    }
    CHECK(next == dots.size());
  }
}

/// Half the font's size a letter: less than any font needs, so that only what surely leaves counts.
void check_inside(const Xml& svg) {
  const double width = svg.get<double>("<xmlattr>.width");
  const double height = svg.get<double>("<xmlattr>.height");
  const auto inside = [&](Pixel pixel) {
    return pixel.x >= 0.0 && pixel.x <= width && pixel.y >= 0.0 && pixel.y <= height;
  };
  for (const Element& element : elements_of(svg)) {
    CAPTURE(element.name, element.attribute("class"), element.attribute("d"), element.tree.data());
    if (element.name == "circle") {
      REQUIRE(inside({element.number("cx") - 4.0, element.number("cy") - 4.0}));
      REQUIRE(inside({element.number("cx") + 4.0, element.number("cy") + 4.0}));
    }
    if (element.name == "path") {
      const auto corners = test::corners(element.attribute("d"));
      REQUIRE(!corners.empty());
      REQUIRE(std::ranges::all_of(corners, inside));
    }
    if (element.name != "text") continue;
    const auto letters = static_cast<double>(std::ranges::count_if(element.tree.data(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
    const std::string anchor = element.attribute("text-anchor");
    const double before = anchor == "end" ? 1.0 : (anchor == "middle" ? 0.5 : 0.0);
    const double length = 6.0 * letters;
    REQUIRE(inside({element.number("x") - before * length, element.number("y") - 9.0}));
    REQUIRE(inside({element.number("x") + (1.0 - before) * length, element.number("y")}));
  }
}

void check_tick_labels_keep_apart(const Xml& svg) {
  for (const Xml& panel : panels_of(svg)) {
    double end = -1.0;
    for (const Element& element : elements_of(panel)) {
      if (!element.is("x-tick")) continue;
      const double half = 3.2 * static_cast<double>(element.tree.data().size());
      CAPTURE(element.tree.data());
      CHECK(element.number("x") - half > end);
      end = element.number("x") + half;
    }
  }
}

ProfileDocument document_of(const std::string& device, const std::string& model,
                            const std::vector<ProfilePoint>& points) {
  ProfileDocument document;
  document.device.name = device;
  document.model.name = model;
  document.points = points;
  return document;
}

ProfileDocument some_document(RandomStream& draws) {
  ProfileDocument document;
  document.device.name = "d" + some_text(draws) + "<&>";
  document.model.name = "m" + some_text(draws);
  document.source = some_text(draws);
  const bool phases = coin(draws);
  std::int64_t batch = draws.whole(1, 40);
  double time = std::pow(10.0, -8.0 + 10.0 * draws.uniform());
  for (std::int64_t left = draws.whole(2, 12); left > 0; --left) {
    ProfilePoint point{.batch = Samples{batch}, .step = {.median = time}};
    if (coin(draws)) {
      point.step.low = coin(draws) ? 0.0 : time * draws.uniform();
      point.step.high = time * (1.0 + 3.0 * draws.uniform());
    }
    if (phases) {
      point.forward = TimeStatistics{.median = time * 0.3 * draws.uniform()};
      point.backward = TimeStatistics{.median = time * draws.uniform()};
      if (coin(draws)) point.update = TimeStatistics{.median = 0.0};
    }
    document.points.push_back(point);
    batch += draws.whole(1, 3 * batch);
    time *= std::pow(10.0, draws.uniform() - 0.2);
  }
  if (coin(draws)) document.max_batch = Samples{batch * draws.whole(1, 20)};
  for (std::int64_t left = draws.whole(0, 5); left > 0; --left) {
    document.interference.push_back(
        {"load" + some_text(draws), 1.0, std::pow(10.0, 3.0 * draws.uniform() - 0.5)});
  }
  return document;
}

}  // namespace

TEST_CASE("every dot of the shipped profiles lies where its value says", "[figure]") {
  const std::vector<NamedProfile> profiles = shipped_profiles();
  REQUIRE(profiles.size() >= 11);
  for (const NamedProfile& profile : profiles) {
    const Xml tree = parsed_svg(svg(profile_figure({profile})));
    check_dots(tree, {profile});
    check_inside(tree);
    check_tick_labels_keep_apart(tree);
  }
  const Xml all = parsed_svg(svg(profile_figure(profiles)));
  check_dots(all, profiles);
  check_inside(all);
  check_tick_labels_keep_apart(all);
}

TEST_CASE("whatever a profile holds, its picture is XML, true, and within its borders",
          "[figure][properties]") {
  for (std::uint64_t i = 0; i < 400; ++i) {
    RandomStream draws = RandomStreams{23}.stream("profiles to draw", std::to_string(i));
    CAPTURE(i);
    std::vector<NamedProfile> profiles;
    for (std::int64_t left = coin(draws) ? 1 : draws.whole(2, 10); left > 0; --left) {
      profiles.push_back({"folder/" + some_text(draws), some_document(draws)});
    }
    const std::string text = svg(profile_figure(profiles));
    CHECK(text == svg(profile_figure(profiles)));
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf\"") == std::string::npos);
    const Xml tree = parsed_svg(text);
    check_dots(tree, profiles);
    check_inside(tree);
  }
}

TEST_CASE("the line through the dots is the curve that the simulator uses", "[figure]") {
  const ProfileDocument document =
      document_of("d", "m",
                  {{.batch = Samples{8}, .step = {.median = 0.010}},
                   {.batch = Samples{16}, .step = {.median = 0.018}},
                   {.batch = Samples{128}, .step = {.median = 0.130}}});
  const StepTimeCurve curve = to_profile(document).step_time;
  const Xml panel = panels_of(parsed_svg(svg(profile_figure({{"p.json", document}})))).at(0);
  const ReadAxis x{panel, "x"};
  const ReadAxis y{panel, "y"};
  std::size_t solid = 0;
  std::size_t dashed = 0;
  for (const Element& element : elements_of(panel)) {
    if (!element.is("line")) continue;
    ++(element.is("dashed") ? dashed : solid);
    for (const Pixel& corner : test::corners(element.attribute("d"))) {
      const double batch = x.value_at(corner.x);
      CHECK(y.value_at(corner.y) == Approx(1e3 * curve.at(batch).count()).epsilon(0.001));
      if (batch < 7.99 || batch > 128.1) CHECK(element.is("dashed"));
      if (batch > 8.01 && batch < 127.9) CHECK_FALSE(element.is("dashed"));
    }
  }
  CHECK(solid == 1);
  CHECK(dashed == 2);
}

TEST_CASE("shares of a step are what its parts' times are of it", "[figure]") {
  const auto part = [](double seconds) { return TimeStatistics{.median = seconds}; };
  const ProfileDocument document = document_of("d", "m",
                                               {{.batch = Samples{1},
                                                 .step = {.median = 1.0},
                                                 .forward = part(0.2),
                                                 .backward = part(0.5),
                                                 .update = part(0.1)},
                                                {.batch = Samples{2},
                                                 .step = {.median = 2.0},
                                                 .forward = part(0.5),
                                                 .backward = part(1.25),
                                                 .update = part(0.1)}});
  const Figure figure = profile_figure({{"p.json", document}});
  REQUIRE(figure.panels.size() == 3);
  const Panel& panel = figure.panels[2];
  REQUIRE(panel.areas.size() == 4);
  // Of 2 s: 5 % update, 25 % forward, 62.5 % backward, 7.5 % none of them.
  const std::vector<double> upper{5.0, 30.0, 92.5, 100.0};
  for (std::size_t i = 0; i < upper.size(); ++i) {
    CHECK(panel.areas[i].upper.at(1).y == Approx(upper[i]));
  }
  CHECK(panel.names[0].text == "update 5.0 %");
  CHECK(panel.names[2].text == "backward 62 %");
  CHECK(panel.areas[2].upper.at(0).y == Approx(80.0));
}

TEST_CASE("profiles are told apart by what differs", "[figure]") {
  const auto named = [](const std::string& file, const std::string& device,
                        const std::string& model) {
    return NamedProfile{file, document_of(device, model,
                                          {{.batch = Samples{1}, .step = {.median = 1.0}},
                                           {.batch = Samples{2}, .step = {.median = 1.5}}})};
  };
  const auto names = [](const Figure& figure) {
    std::vector<std::string> texts;
    for (const Name& name : figure.panels[1].names) texts.push_back(name.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  const Figure devices = profile_figure({named("a.json", "A", "m"), named("b.json", "B", "m")});
  CHECK(devices.title == "m on 2 devices");
  CHECK(names(devices) == Texts{"A", "B"});
  const Figure models = profile_figure({named("a.json", "A", "m"), named("b.json", "A", "n")});
  CHECK(models.title == "2 models on A");
  CHECK(names(models) == Texts{"m", "n"});
  const Figure both = profile_figure(
      {named("a.json", "A", "m"), named("b.json", "A", "n"), named("c.json", "B", "n")});
  CHECK(both.title == "3 profiles");
  CHECK(names(both) == Texts{"A, m", "A, n", "B, n"});
  const Figure twice =
      profile_figure({named("x/before.json", "A", "m"), named("x/after.json", "A", "m")});
  CHECK(twice.title == "m on A");
  CHECK(names(twice) == Texts{"before.json", "after.json"});
  CHECK(names(profile_figure({named("a.json", "A", "m")})).empty());
}

TEST_CASE("the words under a picture are of what is in it", "[figure]") {
  ProfileDocument document = document_of("d", "m",
                                         {{.batch = Samples{1}, .step = {.median = 1.0}},
                                          {.batch = Samples{2}, .step = {.median = 1.5}}});
  CHECK(profile_figure({{"p", document}}).note ==
        "Dots: median of a step. Lines: what dbsim interpolates, dashed where nothing was "
        "measured.");
  document.points[0].step.p05 = 0.9;
  document.points[0].step.p95 = 1.2;
  document.max_batch = Samples{4};
  CHECK_THAT(profile_figure({{"p", document}}).note, Contains("Bars: 5 % to 95 % of all steps."));
  document.points[1].step.low = 1.4;
  document.points[1].step.high = 1.6;
  document.interference = {{"compute", 2.0, 1.25}};
  const Figure figure = profile_figure({{"p", document}});
  CHECK_THAT(figure.note, Contains("Bars: 95 % interval of the median. Bars elsewhere: 5 %"));
  CHECK_THAT(figure.description, Contains("batch 1 1 s, batch 2 1.5 s; memory ends at batch 4."));
  CHECK_THAT(figure.description, Contains("Beside 2 compute, 1.25 times as long."));
  CHECK(figure.panels[0].marks.at(0).text == "memory ends at 4");
  CHECK(figure.panels.back().words.at(0).text == "1.25");
  document.max_batch = Samples{400};
  CHECK(profile_figure({{"p", document}}).panels[0].marks.empty());
}

TEST_CASE("a comparison draws the ratio at every batch, those told from neighbours apart",
          "[figure]") {
  const NamedProfile first{"a.json",
                           document_of("A", "m",
                                       {{.batch = Samples{8}, .step = {.median = 0.01}},
                                        {.batch = Samples{32}, .step = {.median = 0.04}}})};
  const NamedProfile second{"b.json",
                            document_of("B", "m",
                                        {{.batch = Samples{8}, .step = {.median = 0.02}},
                                         {.batch = Samples{16}, .step = {.median = 0.03}},
                                         {.batch = Samples{32}, .step = {.median = 0.06}}})};
  const Figure figure =
      comparison_figure(first, second, differences(first.document, second.document));
  CHECK_THAT(figure.note,
             Catch::EndsWith(" Ratio: B over A. Grey: told from neighbours, not measured."));
  const Xml tree = parsed_svg(svg(figure));
  check_dots(tree, {first, second});
  check_inside(tree);
  const Xml panel = panels_of(tree).at(2);
  CHECK(heading(panel) == "ratio of step times");
  const ReadAxis y{panel, "y"};
  const std::vector<Pixel> dots = circles(panel);
  REQUIRE(dots.size() == 3);
  CHECK(y.value_at(dots[0].y) == Approx(2.0).epsilon(0.001));
  CHECK(y.value_at(dots[1].y) == Approx(1.5).epsilon(0.001));  // A takes 20 ms at 16, by its line
  CHECK(y.value_at(dots[2].y) == Approx(1.5).epsilon(0.001));
}
