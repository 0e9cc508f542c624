#include "sim/figure/svg.hpp"

#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/figure/picture.hpp"

using namespace dbsim;
using dbsim::test::Element;
using dbsim::test::elements_of;
using dbsim::test::panels_of;
using dbsim::test::parsed_svg;
using dbsim::test::Xml;

namespace {

Panel plain_panel() {
  return {.x = {.label = "x", .scale = Scale::covering(Spacing::even, 0.0, 10.0)},
          .y = {.label = "y", .scale = Scale::covering(Spacing::even, 0.0, 10.0)}};
}

std::vector<Element> of_class(const Xml& tree, const std::string& word) {
  std::vector<Element> found;
  for (const Element& element : elements_of(tree)) {
    if (element.is(word)) found.push_back(element);
  }
  return found;
}

}  // namespace

TEST_CASE("a figure says what it is to whoever cannot see it", "[figure]") {
  const Xml tree = parsed_svg(svg({.title = "a <b> & \"c\"",
                                   .about = {"who & where"},
                                   .description = "1 < 2",
                                   .panels = {plain_panel()},
                                   .note = "see > there"}));
  CHECK(tree.get<std::string>("<xmlattr>.role") == "img");
  CHECK(tree.get<std::string>("<xmlattr>.aria-label") == "a <b> & \"c\"");
  CHECK(tree.get<std::string>("title") == "a <b> & \"c\"");
  CHECK(tree.get<std::string>("desc") == "1 < 2");
  CHECK(of_class(tree, "title").at(0).tree.data() == "a <b> & \"c\"");
}

TEST_CASE("names beside a panel keep apart and stay in the order of their heights", "[figure]") {
  Panel panel = plain_panel();
  for (const double y : {5.0, 5.1, 5.05, 0.0, 0.1, 10.0, 9.9}) {
    panel.names.push_back({.y = y, .text = std::to_string(y), .colour = 0});
  }
  const Xml tree =
      parsed_svg(svg({.title = "t", .about = {}, .description = "", .panels = {panel}}));
  std::map<double, double> value_at;  // by height, from the top
  for (const Element& name : of_class(tree, "name")) {
    value_at[name.number("y")] = std::stod(name.tree.data());
  }
  REQUIRE(value_at.size() == 7);
  for (auto i = std::next(value_at.begin()); i != value_at.end(); ++i) {
    CHECK(i->first - std::prev(i)->first >= 12.0);
    CHECK(i->second < std::prev(i)->second);
  }
}

TEST_CASE("the same series has the same colour in every panel", "[figure]") {
  Panel panel = plain_panel();
  panel.lines = {{.places = {{1, 1}, {9, 9}}, .colour = 3}};
  panel.dots = {{.at = {5, 5}, .colour = 3}};
  const Xml tree =
      parsed_svg(svg({.title = "t", .about = {}, .description = "", .panels = {panel, panel}}));
  CHECK(of_class(tree, "c3").size() == 4);
}

TEST_CASE("a bar that leaves its panel is cut off at the border, without a cap", "[figure]") {
  Panel panel = plain_panel();
  panel.dots = {{.at = {2, 5}, .reach = Dot::Reach{4, 6}},
                {.at = {8, 5}, .reach = Dot::Reach{-1, 99}}};
  const Xml tree =
      parsed_svg(svg({.title = "t", .about = {}, .description = "", .panels = {panel}}));
  const auto bars = of_class(tree, "reach");
  REQUIRE(bars.size() == 2);
  CHECK(test::corners(bars[0].attribute("d")).size() == 6);  // the bar and two caps
  const auto whole_height = test::corners(bars[1].attribute("d"));
  REQUIRE(whole_height.size() == 2);
  const test::ReadAxis y{panels_of(tree).at(0), "y"};
  CHECK(y.value_at(whole_height[0].y) == Approx(0.0).margin(0.01));
  CHECK(y.value_at(whole_height[1].y) == Approx(10.0));
}

TEST_CASE("four panels make two rows, and rooms for labels are shared by a column", "[figure]") {
  Panel named = plain_panel();
  named.names = {{.y = 5, .text = "somewhat long", .colour = 0}};
  const Xml tree = parsed_svg(svg({.title = "t",
                                   .about = {},
                                   .description = "",
                                   .panels = {plain_panel(), named, named, plain_panel()}}));
  std::vector<double> left;
  std::vector<double> top;
  for (const Xml& panel : panels_of(tree)) {
    left.push_back(of_class(panel, "heading").at(0).number("x"));
    top.push_back(of_class(panel, "heading").at(0).number("y"));
  }
  CHECK(left[0] == left[2]);
  CHECK(left[1] == left[3]);
  CHECK(left[0] < left[1]);
  CHECK(top[0] == top[1]);
  CHECK(top[0] < top[2]);
}

TEST_CASE("a heading that is wider than its panel is cut off", "[figure]") {
  Panel panel = plain_panel();
  panel.y.label = std::string(300, 'm');
  const Xml tree = parsed_svg(svg({.title = std::string(300, 'm'),
                                   .about = {std::string(300, 'm')},
                                   .description = "",
                                   .panels = {panel}}));
  for (const Element& element : elements_of(tree)) {
    if (element.name == "text") CHECK(element.tree.data().size() < 150);
  }
}
