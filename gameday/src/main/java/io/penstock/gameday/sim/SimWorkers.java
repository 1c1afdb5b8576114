package io.penstock.gameday.sim;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.node.Node;
import io.penstock.engine.tube.Tube;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The workers of a world's tubes: processes of their own, which die and are stopped. */
final class SimWorkers {
  /** In the calm everything must end soon, whatever was owed before. */
  private static final double PLENTY_WORKERS = 50;

  private final World world;
  private final List<Baton.@Nullable Host> processes = new ArrayList<>();
  private final List<Tube> tubes = new ArrayList<>();
  private int started;
  private boolean calm;

  SimWorkers(World world) {
    this.world = world;
    for (String id : world.plan.tubes().limits().keySet()) {
      tubes.add(new Tube(id, Shard.of(id, world.plan.shards())));
    }
    for (int i = 0; i < world.plan.tubes().workers(); i++) {
      processes.add(null);
    }
  }

  /** All of them begin. */
  void start() {
    for (int i = 0; i < processes.size(); i++) {
      start(i);
    }
  }

  /** One begins, unless it is there. */
  void start(int index) {
    if (processes.isEmpty() || processes.get(index % processes.size()) != null) {
      return;
    }
    String name = "worker-" + index + "." + ++started;
    Baton.Host process = world.process(name);
    processes.set(index % processes.size(), process);
    RandomGenerator random = world.chance(name);
    SimWorker worker = new SimWorker(world, this, name, random);
    world.tell(name, "starts");
    world.baton.start(process, name + "/work", worker::live);
  }

  void kill(int index) {
    Baton.Host process = processes.isEmpty() ? null : processes.set(index % processes.size(), null);
    if (process != null) {
      world.tell(process.name, "is killed");
      world.baton.kill(process);
    }
  }

  void stop(int index, Duration during) {
    Baton.Host process = processes.isEmpty() ? null : processes.get(index % processes.size());
    if (process != null) {
      world.tell(process.name, "is stopped for " + during);
      world.baton.stop(process, during.toNanos());
    }
  }

  /** From now on all are there, work quickly and end well, and have all the workers they want. */
  void calm() {
    calm = true;
    world.auditor.tubes().calm();
    world
        .plan
        .tubes()
        .limits()
        .forEach((id, _) -> {
          TubeLimits before = world.limitsOf(id).tube();
          Double allotment = before.allotment() == null ? null : PLENTY_WORKERS;
          world.shareWorkers(
              id, new TubeLimits(allotment, null, before.expected(), 0, false, null, null, null));
        });
    for (Baton.Host process : processes) {
      if (process != null) {
        world.baton.goOn(process);
      }
    }
    start();
  }

  boolean isCalm() {
    return calm;
  }

  /** Some node that runs, as a load balancer finds one. */
  @Nullable Node node(RandomGenerator random) {
    return world.someNode(random.nextInt(world.members().size()));
  }

  /** All tubes, or some of them. */
  List<Tube> served(RandomGenerator random) {
    if (calm || random.nextInt(3) > 0) {
      return List.copyOf(tubes);
    }
    return List.of(tubes.get(random.nextInt(tubes.size())));
  }
}
