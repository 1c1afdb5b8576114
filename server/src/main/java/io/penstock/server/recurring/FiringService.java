package io.penstock.server.recurring;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.recurring.FiringRunner;

/** This node's part in the schedules: a loop that fires them. Safe for use by many threads. */
public final class FiringService {
  private final Loop loop;

  public FiringService(FiringRunner runner, Host host) {
    this.loop = new Loop("schedules", host, runner::runOnce);
  }

  public void start() {
    loop.start();
  }

  /** A schedule was made or resumed through this node. */
  public void wake() {
    loop.wake();
  }

  /** Fires no more; what is under way ends by itself or is rolled back. */
  public void stop() {
    loop.stop();
  }
}
