package io.penstock.server.redrive;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.redrive.RedriveListener;
import io.penstock.engine.redrive.RedriveRunner;
import io.penstock.engine.redrive.Redrives;
import java.util.Collection;
import java.util.function.Consumer;

/** This node's part in the redrives: a loop that steps them. Safe for use by many threads. */
public final class RedriveService {
  private final Redrives redrives;
  private final Loop loop;

  /**
   * @param due wakes the claimers for these destinations; must not block
   */
  public RedriveService(
      Redrives redrives,
      String node,
      Host host,
      Consumer<Collection<String>> due,
      RedriveListener listener,
      NodeListener trouble) {
    this.redrives = redrives;
    RedriveRunner runner = new RedriveRunner(redrives, node, due, listener, trouble);
    this.loop = new Loop("redrive", host, runner::runOnce);
  }

  public Redrives redrives() {
    return redrives;
  }

  public void start() {
    loop.start();
  }

  /** Something was started or resumed through this node. */
  public void wake() {
    loop.wake();
  }

  /** Takes no more steps; the one under way ends by itself or is rolled back. */
  public void stop() {
    loop.stop();
  }
}
