#pragma once
// An SVG file read back with an XML parser, for tests that hold it to the numbers it was drawn of.
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace dbsim::test {

using Xml = boost::property_tree::ptree;

/// The <svg> element. Throws where the text is not XML.
inline Xml parsed_svg(const std::string& text) {
  std::istringstream in{text};
  Xml tree;
  boost::property_tree::read_xml(in, tree, boost::property_tree::xml_parser::trim_whitespace);
  return tree.get_child("svg");
}

struct Element {
  std::string name;
  Xml tree;
  [[nodiscard]] std::string attribute(const std::string& key) const {
    return tree.get<std::string>("<xmlattr>." + key, "");
  }
  [[nodiscard]] double number(const std::string& key) const {
    return tree.get<double>("<xmlattr>." + key, 0.0);
  }
  [[nodiscard]] bool is(const std::string& word) const {
    return (" " + attribute("class") + " ").find(" " + word + " ") != std::string::npos;
  }
};

/// All elements below, in the order of the file.
inline void collect(const Xml& tree, std::vector<Element>& elements) {
  for (const auto& [name, child] : tree) {
    if (name == "<xmlattr>") continue;
    elements.push_back({name, child});
    collect(child, elements);
  }
}
inline std::vector<Element> elements_of(const Xml& tree) {
  std::vector<Element> elements;
  collect(tree, elements);
  return elements;
}

inline std::vector<Xml> panels_of(const Xml& svg) {
  std::vector<Xml> panels;
  for (const auto& [name, child] : svg) {
    if (name == "g" && child.get<std::string>("<xmlattr>.class", "") == "panel") {
      panels.push_back(child);
    }
  }
  return panels;
}

struct Pixel {
  double x{};
  double y{};
};

/// The corners of a path of M, L, H, V, h, v and Z.
inline std::vector<Pixel> corners(const std::string& path) {
  std::istringstream in{path};
  std::vector<Pixel> result;
  Pixel at;
  for (char step{}; in >> step;) {
    if (step == 'Z') continue;
    double value{};
    in >> value;
    if (step == 'M' || step == 'L') {
      at.x = value;
      in >> at.y;
    }
    if (step == 'H') at.x = value;
    if (step == 'V') at.y = value;
    if (step == 'h') at.x += value;
    if (step == 'v') at.y += value;
    result.push_back(at);
  }
  return result;
}

/// What a reader makes of an axis: its labels, and values between them, evenly or by ratio.
class ReadAxis {
 public:
  ReadAxis(const Xml& panel, const std::string& which) {
    for (const Element& element : elements_of(panel)) {
      if (!element.is(which + "-tick")) continue;
      std::string label = element.tree.data();
      std::erase(label, ',');
      values_.push_back(std::stod(label));
      // A label of y stands 4 pixels below its tick, so that its middle is level with it.
      places_.push_back(which == "x" ? element.number("x") : element.number("y") - 4.0);
    }
    const double first = values_.at(1) - values_.at(0);
    const double last = values_.back() - values_.at(values_.size() - 2);
    even_ = std::abs(last - first) < 1e-6 * std::abs(first);
  }

  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<double>& places() const { return places_; }
  [[nodiscard]] double value_at(double place) const {
    const double part = (place - places_.front()) / (places_.back() - places_.front());
    if (even_) return values_.front() + part * (values_.back() - values_.front());
    return values_.front() * std::pow(values_.back() / values_.front(), part);
  }

 private:
  std::vector<double> values_;
  std::vector<double> places_;
  bool even_{};
};

}  // namespace dbsim::test
