// Program dbsim-bench-simgrid: the same work in dbsim and in SimGrid, in one run; items are
// messages.
//
// SimGrid (https://simgrid.org) keeps one engine for a process, so each of its runs is a process of
// its own, of which only the simulation is timed. CM02 without corrections is max-min fair sharing,
// so `simulated_s` must agree.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "bench/network_work.hpp"
#include "sim/engine/collective_player.hpp"

namespace dbsim::bench {

namespace {

namespace s4u = simgrid::s4u;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The hosts, once links and routes are theirs. A channel is one direction of a full-duplex link.
std::vector<s4u::Host*> build_platform(const NetworkWork& work) {
  s4u::NetZone* const zone = s4u::create_full_zone("zone");
  const Network& network = work.topology.network();
  std::vector<s4u::Host*> hosts;
  for (std::size_t i = 0; i < network.hosts; ++i) {
    hosts.push_back(zone->create_host("host " + std::to_string(i), 1e9));
  }
  std::vector<const s4u::Link*> channels;
  for (const Link& link : network.links) {
    for (int direction = 0; direction < 2; ++direction) {
      const std::string name = "channel " + std::to_string(channels.size());
      channels.push_back(zone->create_link(name, link.bandwidth.count())
                             ->set_latency(link.latency.count())
                             ->seal());
    }
  }
  for (const Message& message : work.schedule.pattern()) {
    if (message.from == message.to) continue;
    const std::optional<Route> ours = work.topology.route(message.from, message.to);
    std::vector<s4u::LinkInRoute> route;
    for (const ChannelIndex channel : ours.value().channels) route.emplace_back(channels[channel]);
    zone->add_route(hosts[message.from]->get_netpoint(), hosts[message.to]->get_netpoint(), nullptr,
                    nullptr, route, false);
  }
  zone->seal();
  return hosts;
}

std::uint64_t size_of(const Message& message) {
  return static_cast<std::uint64_t>(message.size.count());
}

/// One actor for each message of the pattern, which sends it round after round.
void add_messages(const NetworkWork& work, const std::vector<s4u::Host*>& hosts,
                  std::vector<s4u::SemaphorePtr>& arrivals) {
  const Schedule& schedule = work.schedule;
  for (std::size_t i = 0; i < schedule.pattern().size(); ++i) {
    arrivals.push_back(s4u::Semaphore::create(0));
  }
  for (MessageIndex i = 0; i < schedule.pattern().size(); ++i) {
    const Message& message = schedule.pattern()[i];
    s4u::Actor::create("message " + std::to_string(i), hosts[message.from], [&, i] {
      const Message& mine = schedule.pattern()[i];
      if (mine.from < work.ready.size() && mine.after.empty()) {
        s4u::this_actor::sleep_for(to_seconds(work.ready[mine.from]).count());
      }
      for (std::int64_t round = 0; round < schedule.rounds(i); ++round) {
        for (const Dependency& dependency : mine.after) {
          if (dependency.rounds_back <= round) arrivals[i]->acquire();
        }
        if (mine.from != mine.to) {
          s4u::Comm::sendto_async(hosts[mine.from], hosts[mine.to], size_of(mine))->wait();
        }
        for (const Dependency& waiting : schedule.waiting_for(i)) {
          arrivals[waiting.message]->release();
        }
      }
    });
  }
}

/// One actor for each host, which sends everything at once.
void add_senders(const NetworkWork& work, const std::vector<s4u::Host*>& hosts) {
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    s4u::Actor::create("sender " + std::to_string(host), hosts[host], [&work, &hosts, host] {
      std::vector<s4u::CommPtr> sent;
      for (const Message& message : work.schedule.pattern()) {
        if (message.from != host) continue;
        sent.push_back(s4u::Comm::sendto_async(hosts[host], hosts[message.to], size_of(message)));
      }
      s4u::Comm::wait_all(sent);
    });
  }
}

struct Outcome {
  double wall{};
  double simulated{};
};

Outcome run_simgrid(const NetworkWork& work, const std::string& update) {
  std::vector<std::string> words{"simgrid",
                                 "--cfg=network/model:CM02",
                                 "--cfg=network/crosstraffic:0",
                                 "--cfg=network/TCP-gamma:0",
                                 "--cfg=network/weight-S:0",
                                 "--cfg=network/bandwidth-factor:1",
                                 "--cfg=network/latency-factor:1",
                                 "--cfg=contexts/stack-size:512",
                                 "--cfg=network/optim:" + update,
                                 "--log=root.thresh:error"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int count = static_cast<int>(pointers.size());
  s4u::Engine engine{&count, pointers.data()};
  const std::vector<s4u::Host*> hosts = build_platform(work);
  std::vector<s4u::SemaphorePtr> arrivals;
  const bool independent = work.schedule.waiting_for(0).empty();
  if (independent) {
    add_senders(work, hosts);
  } else {
    add_messages(work, hosts, arrivals);
  }
  const double begin = seconds_now();
  engine.run();
  return {.wall = seconds_now() - begin, .simulated = s4u::Engine::get_clock()};
}

std::optional<Outcome> run_in_a_process(const NetworkWork& work, const std::string& update) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const Outcome outcome = run_simgrid(work, update);
    const bool told = write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
    _exit(told ? 0 : 1);  // SimGrid's own farewell may take longer than the run
  }
  close(ends[1]);
  Outcome outcome;
  const bool heard = read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return heard ? std::optional{outcome} : std::nullopt;
}

using MakeWork = NetworkWork (*)(std::size_t);

template <class Run>
void measure(benchmark::State& state, MakeWork make, const Run& run) {
  const NetworkWork work = make(static_cast<std::size_t>(state.range(0)));
  const std::vector<Route> routes = routes_of(work.topology, work.schedule);
  for ([[maybe_unused]] auto _ : state) {
    const std::optional<Outcome> outcome = run(work, routes);
    if (!outcome) {
      state.SkipWithError("the simulator failed");
      break;
    }
    state.SetIterationTime(outcome->wall);
    state.counters["simulated_s"] = outcome->simulated;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(work.schedule.messages()) * state.iterations());
}

void compare(const std::string& name, MakeWork make, const std::vector<std::int64_t>& sizes) {
  const auto add = [&](const std::string& simulator, const auto& body) {
    return benchmark::RegisterBenchmark((name + "/" + simulator).c_str(), body)
        ->ArgsProduct({sizes})
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("dbsim", [make](benchmark::State& state) {
    measure(state, make, [](const NetworkWork& work, const std::vector<Route>& routes) {
      const double begin = seconds_now();
      const PlayedCollective played = play(work.topology, work.schedule, routes, work.ready);
      return std::optional{
          Outcome{.wall = seconds_now() - begin, .simulated = to_seconds(played.last).count()}};
    });
  });
  for (const char* update : {"Lazy", "Full"}) {
    add(std::string{"simgrid-"} + update, [make, update](benchmark::State& state) {
      measure(state, make, [update](const NetworkWork& work, const std::vector<Route>&) {
        return run_in_a_process(work, update);
      });
    })->Iterations(1);
  }
}

}  // namespace

}  // namespace dbsim::bench

int main(int count, char* words[]) {
  using namespace dbsim::bench;
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  compare("ring_on_a_star", ring_on_a_star, {16, 64, 256});
  compare("shuffled_ring_on_four_to_one_leaves", shuffled_ring_on_four_to_one_leaves, {64, 256});
  compare("parameter_server_with_unequal_starts", parameter_server_with_unequal_starts, {16, 256});
  compare("unequal_all_to_all", unequal_all_to_all, {32, 64, 128});
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
