#include "sim/figure/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/check.hpp"
#include "sim/figure/svg_text.hpp"

namespace dbsim {

namespace {

// Pixels at the size that the file asks for; a page may show it at any.
constexpr double font = 12.0;
constexpr double title_font = 17.0;
constexpr double heading_font = 13.0 * 1.1;  // bold
constexpr double line_height = 17.0;
constexpr double margin = 20.0;
constexpr double panel_height = 260.0;
constexpr double above_panel = 34.0;  // its title
constexpr double below_panel = 48.0;  // tick and axis labels
constexpr double row_height = above_panel + panel_height + below_panel;
constexpr double between = 22.0;
constexpr double gap = 6.0;
constexpr double full_width = 1040.0;
constexpr double one_panel_width = 640.0;
constexpr double widest_name = 240.0;

// Okabe and Ito's colours, without yellow, and lighter ones of the same hues for dark screens. No
// variables: programs that make PDF of SVG do not know them.
constexpr std::string_view style = R"(<style>
.dbsim-figure text{font:12px system-ui,sans-serif;fill:#24292f}
.dbsim-figure .title{font-size:17px;font-weight:600}
.dbsim-figure .heading{font-size:13px;font-weight:600}
.dbsim-figure .muted{fill:#57606a}
.dbsim-figure .paper{fill:#fff}
.dbsim-figure .grid{stroke:#e6e9ec;fill:none}
.dbsim-figure .frame{stroke:#8c959f;fill:none}
.dbsim-figure .mark{stroke:#57606a;stroke-dasharray:2 3}
.dbsim-figure .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.dbsim-figure .dashed{stroke-dasharray:6 4;stroke-width:1.5}
.dbsim-figure .thin{stroke-width:1}
.dbsim-figure .end{stroke:currentColor;stroke-width:2.5}
.dbsim-figure .reach{fill:none;stroke:currentColor;stroke-width:1.5}
.dbsim-figure .dot{fill:currentColor;stroke:#fff}
.dbsim-figure .area{fill:currentColor;opacity:.75}
.dbsim-figure .key{fill:currentColor}
.dbsim-figure .halo{stroke:#fff;stroke-width:4;stroke-linejoin:round;paint-order:stroke}
.dbsim-figure .c0{color:#0072b2}.dbsim-figure .c1{color:#d55e00}.dbsim-figure .c2{color:#009e73}
.dbsim-figure .c3{color:#cc79a7}.dbsim-figure .c4{color:#e69f00}.dbsim-figure .c5{color:#56b4e9}
.dbsim-figure .c6{color:#6e7781}
@media (prefers-color-scheme:dark){
.dbsim-figure text{fill:#e6edf3}
.dbsim-figure .muted{fill:#9aa4ae}
.dbsim-figure .paper{fill:#0d1117}
.dbsim-figure .grid{stroke:#23292f}
.dbsim-figure .frame{stroke:#6e7681}
.dbsim-figure .mark{stroke:#9aa4ae}
.dbsim-figure .dot{stroke:#0d1117}
.dbsim-figure .halo{stroke:#0d1117}
.dbsim-figure .c0{color:#3d9fdb}.dbsim-figure .c1{color:#f0883e}.dbsim-figure .c2{color:#2fbf93}
.dbsim-figure .c3{color:#e09bc3}.dbsim-figure .c4{color:#f2b632}.dbsim-figure .c5{color:#8ccbf2}
.dbsim-figure .c6{color:#9aa4ae}
}
</style>
)";
constexpr std::size_t colours = 7;

struct Box {
  double left{};
  double top{};
  double width{};
  double height{};
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

std::string colour_class(Colour colour) { return fmt::format("c{}", colour % colours); }

std::string text_at(double x, double y, std::string_view classes, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", classes, pixels(x),
                     pixels(y), escaped(text));
}

std::string anchored(double x, double y, std::string_view anchor, std::string_view text,
                     std::string_view classes = "muted") {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", classes,
                     pixels(x), pixels(y), anchor, escaped(text));
}

std::string path(std::string_view classes, std::string_view steps) {
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", classes, steps);
}

std::string tick_label(const Axis& axis, std::size_t tick) {
  return axis.names.empty() ? tick_text(axis.scale.ticks()[tick]) : axis.names[tick];
}

/// One panel, drawn into the box that its axes enclose.
class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, const Box& box) : panel_{panel}, box_{box} {}

  std::string text() {
    const double middle = box_.left + box_.width / 2.0;
    out_ += text_at(box_.left, box_.top - 12.0, "heading",
                    cut(panel_.y.label, box_.width + gap, heading_font));
    draw_areas();
    draw_x_axis();
    draw_y_axis();
    out_ += anchored(middle, box_.bottom() + 38.0, "middle", panel_.x.label);
    draw_marks();
    draw_lines();
    draw_ends();
    draw_dots();
    draw_words();
    draw_names();
    return out_;
  }

 private:
  [[nodiscard]] double x(double value) const {
    return box_.left + box_.width * panel_.x.scale.part(value);
  }
  [[nodiscard]] double y(double value) const {
    return box_.bottom() - box_.height * panel_.y.scale.part(value);
  }
  [[nodiscard]] std::string steps(const std::vector<Place>& places) const {
    std::string result;
    for (const Place& place : places) {
      result += fmt::format("{}{} {}", result.empty() ? "M" : "L", pixels(x(place.x)),
                            pixels(y(place.y)));
    }
    return result;
  }

  void draw_x_axis() {
    const std::vector<double>& ticks = panel_.x.scale.ticks();
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const std::string at = pixels(x(ticks[i]));
      out_ += path("grid", fmt::format("M{} {}V{}", at, pixels(box_.bottom()), pixels(box_.top)));
      out_ += path("frame", fmt::format("M{} {}v4", at, pixels(box_.bottom())));
      out_ += anchored(x(ticks[i]), box_.bottom() + 18.0, "middle", tick_label(panel_.x, i),
                       "muted x-tick");
    }
    out_ += path("frame", fmt::format("M{} {}H{}", pixels(box_.left), pixels(box_.bottom()),
                                      pixels(box_.right())));
  }

  void draw_y_axis() {
    const std::vector<double>& ticks = panel_.y.scale.ticks();
    const bool rows = !panel_.y.names.empty();
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const std::string at = pixels(y(ticks[i]));
      if (!rows) {
        out_ += path("grid", fmt::format("M{} {}H{}", pixels(box_.left), at, pixels(box_.right())));
      }
      out_ += anchored(box_.left - 8.0, y(ticks[i]) + 4.0, "end",
                       cut(tick_label(panel_.y, i), widest_name, font), "muted y-tick");
    }
  }

  void draw_areas() {
    for (const Area& area : panel_.areas) {
      std::vector<Place> around = area.upper;
      around.insert(around.end(), area.lower.rbegin(), area.lower.rend());
      out_ += path("area " + colour_class(area.colour), steps(around) + "Z");
    }
  }

  void draw_marks() {
    for (const Mark& mark : panel_.marks) {
      const double at = x(mark.x);
      out_ += path("mark",
                   fmt::format("M{} {}V{}", pixels(at), pixels(box_.bottom()), pixels(box_.top)));
      const bool fits_left = at - box_.left > text_width(mark.text, font) + gap;
      out_ += anchored(at + (fits_left ? -gap : gap), box_.top + 12.0, fits_left ? "end" : "start",
                       mark.text, "muted halo");
    }
  }

  void draw_lines() {
    for (const Curve& line : panel_.lines) {
      std::string classes = "line " + colour_class(line.colour);
      if (line.stroke == Stroke::dashed) classes += " dashed";
      if (line.stroke == Stroke::thin) classes += " thin";
      out_ += path(classes, steps(line.places));
    }
  }

  void draw_ends() {
    for (const End& end : panel_.ends) {
      out_ += path("end " + colour_class(end.colour),
                   fmt::format("M{} {}v18", pixels(x(end.at.x)), pixels(y(end.at.y) - 9.0)));
    }
  }

  void draw_dots() {
    for (const Dot& dot : panel_.dots) {
      const double at = x(dot.at.x);
      const std::string colour = colour_class(dot.colour);
      out_ += "<g>";
      if (!dot.says.empty()) out_ += fmt::format("<title>{}</title>", escaped(dot.says));
      out_ += '\n';
      if (dot.reach) draw_reach(dot, *dot.reach);
      out_ += fmt::format("<circle class=\"dot {}\" cx=\"{}\" cy=\"{}\" r=\"4\"/></g>\n", colour,
                          pixels(at), pixels(y(dot.at.y)));
    }
  }

  /// A bar that leaves the panel is cut off there, and has no cap.
  void draw_reach(const Dot& dot, const Dot::Reach& reach) {
    const Scale& scale = panel_.y.scale;
    const double at = x(dot.at.x);
    const std::string left = pixels(at - 4.0);
    std::string bar =
        fmt::format("M{} {}V{}", pixels(at), pixels(y(std::max(reach.low, scale.low()))),
                    pixels(y(std::min(reach.high, scale.high()))));
    for (const double end : {reach.low, reach.high}) {
      if (scale.holds(end)) bar += fmt::format("M{} {}h8", left, pixels(y(end)));
    }
    out_ += path("reach " + colour_class(dot.colour), bar);
  }

  void draw_words() {
    for (const Words& words : panel_.words) {
      out_ += text_at(x(words.at.x) + 10.0, y(words.at.y) + 4.0, "halo", words.text);
    }
  }

  /// As near to their heights as they can be without touching: moved down where the one above needs
  /// the room, and all of them up where the last would leave the panel.
  void draw_names() {
    std::vector<Name> names = panel_.names;
    std::ranges::stable_sort(names, {}, [&](const Name& name) { return y(name.y); });
    std::vector<double> heights;
    for (const Name& name : names) {
      const double wanted = std::clamp(y(name.y), box_.top, box_.bottom());
      heights.push_back(heights.empty() ? wanted : std::max(wanted, heights.back() + line_height));
    }
    double lowest =
        std::max(box_.bottom(), box_.top + line_height * static_cast<double>(names.size()));
    for (std::size_t i = names.size(); i-- > 0; lowest = heights[i] - line_height) {
      heights[i] = std::min(heights[i], lowest);
      const double left = box_.right() + 12.0;
      out_ += fmt::format("<rect class=\"key {}\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/>\n",
                          colour_class(names[i].colour), pixels(left), pixels(heights[i] - 5.0));
      out_ += text_at(left + 16.0, heights[i] + 4.0, "name", cut(names[i].text, widest_name, font));
    }
  }

  const Panel& panel_;
  Box box_;
  std::string out_;
};

/// What the widest labels left and right of a panel need.
double room_left(const Panel& panel) {
  double widest = 0.0;
  for (std::size_t i = 0; i < panel.y.scale.ticks().size(); ++i) {
    widest = std::max(widest, text_width(tick_label(panel.y, i), font));
  }
  return std::min(widest, widest_name) + 14.0;
}

double room_right(const Panel& panel) {
  double widest = 0.0;
  for (const Name& name : panel.names) widest = std::max(widest, text_width(name.text, font));
  return panel.names.empty() ? 14.0 : std::min(widest, widest_name) + 34.0;
}

struct Column {
  double left{};
  double right{};
};

/// Up to three panels stand side by side; more of them make two rows.
std::size_t columns_of(std::size_t panels) { return panels <= 3 ? panels : (panels + 1) / 2; }

/// Panels of a column begin at the same place; one without names is as wide as the others with.
std::vector<Box> boxes_of(const std::vector<Panel>& panels, double width, double top) {
  std::vector<Column> columns(columns_of(panels.size()));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Column& column = columns[i % columns.size()];
    column.left = std::max(column.left, room_left(panels[i]));
    column.right = std::max(column.right, room_right(panels[i]));
  }
  double taken = 2.0 * margin + between * static_cast<double>(columns.size() - 1);
  for (const Column& column : columns) taken += column.left + column.right;
  const double each = (width - taken) / static_cast<double>(columns.size());
  std::vector<Box> boxes;
  double left = margin;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Column& column = columns[i % columns.size()];
    if (i % columns.size() == 0) left = margin;
    const std::size_t row = i / columns.size();
    boxes.push_back({left + column.left, top + above_panel + static_cast<double>(row) * row_height,
                     each + column.right - room_right(panels[i]), panel_height});
    left += column.left + each + column.right + between;
  }
  return boxes;
}

}  // namespace

std::string svg(const Figure& figure) {
  check(!figure.panels.empty(), "a figure has a panel");
  const double width = figure.panels.size() == 1 ? one_panel_width : full_width;
  const double room = width - 2.0 * margin;
  std::string body;
  double y = margin + title_font;
  for (const std::string& line : wrapped(figure.title, room, title_font)) {
    body += text_at(margin, y, "title", line);
    y += title_font + gap;
  }
  for (const std::string& about : figure.about) {
    for (const std::string& line : wrapped(about, room, font)) {
      body += text_at(margin, y, "muted", line);
      y += line_height;
    }
  }
  const std::vector<Box> boxes = boxes_of(figure.panels, width, y);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    body += "<g class=\"panel\">\n" + PanelDrawing{figure.panels[i], boxes[i]}.text() + "</g>\n";
  }
  y = boxes.back().bottom() + below_panel + line_height;
  for (const std::string& line : wrapped(figure.note, room, font)) {
    body += text_at(margin, y, "muted", line);
    y += line_height;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dbsim-figure\" role=\"img\" "
      "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" aria-label=\"{2}\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n{4}"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{5}</svg>\n",
      pixels(width), pixels(y), escaped(figure.title), escaped(figure.description), style, body);
}

}  // namespace dbsim
