#pragma once
// The keys of `network` that say what a message costs beside its links.
#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

void describe_messages(Fields& network, MessageDraft& draft);

}  // namespace dbsim
