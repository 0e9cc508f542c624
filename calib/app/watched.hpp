#pragma once
// Measuring as a person watches it: a bar, Ctrl-C, and samples that are safe on disk.
#include <memory>

#include "calib/app/side_file.hpp"
#include "calib/measure/measure.hpp"
#include "sim/program/interrupt.hpp"
#include "sim/program/progress.hpp"

namespace dbsim::calib {

/// Hands out what measuring needs of the world around it; lives as long as the measuring.
class Watch {
 public:
  Watch(const InterruptGuard& interrupt, const SideFile& side_file, ProgressBar::Shown shown);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  [[nodiscard]] Surroundings surroundings();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
  ProgressBar bar_;
};

}  // namespace dbsim::calib
