#pragma once
// A drawing as data: panels with axes and what lies in them. What is drawn where is written once,
// in svg.cpp.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/figure/scale.hpp"

namespace dbsim {

/// A value on each axis of a panel.
struct Place {
  double x{};
  double y{};
};

/// A series has the same colour in every panel. The first seven colours can be told apart with any
/// kind of colour vision.
using Colour = std::size_t;

enum class Stroke { solid, dashed, thin };
struct Curve {
  std::vector<Place> places;
  Stroke stroke{Stroke::solid};
  Colour colour{};
};

struct Dot {
  Place at;
  struct Reach {
    double low{};
    double high{};
  };
  std::optional<Reach> reach{};  // a vertical bar through it
  std::string says{};            // shown to whoever points at it, told by screen readers
  Colour colour{};
};

/// Filled between its two borders, which share their x values.
struct Area {
  std::vector<Place> upper;
  std::vector<Place> lower;
  Colour colour{};
};

/// A vertical line through the panel.
struct Mark {
  double x{};
  std::string text;
};

/// Where a line is cut off for good.
struct End {
  Place at;
  Colour colour{};
};

/// Words right of a place.
struct Words {
  Place at;
  std::string text;
};

/// Names a series beside the panel, as near to this height as the other names allow.
struct Name {
  double y{};
  std::string text;
  Colour colour{};
};

struct Axis {
  std::string label;  // with its unit; that of y stands above the panel
  Scale scale;
  std::vector<std::string> names{};  // of its ticks; their values where it is empty
};

struct Panel {
  Axis x;
  Axis y;
  std::vector<Area> areas{};
  std::vector<Mark> marks{};
  std::vector<Curve> lines{};
  std::vector<Dot> dots{};
  std::vector<End> ends{};
  std::vector<Words> words{};
  std::vector<Name> names{};
};

struct Figure {
  std::string title;
  std::vector<std::string> about{};  // under the title; long ones are wrapped
  std::string description;           // all of it in words, for whoever cannot see it
  std::vector<Panel> panels;         // in reading order; at least one
  std::string note{};                // under the panels: how to read them
};

}  // namespace dbsim
