package io.penstock.server.wiring;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's own chores beside the node's loops: each a step that runs now and then. */
final class Background {
  private static final Logger log = LoggerFactory.getLogger(Background.class);

  private final Host host;
  private final List<Loop> loops = new ArrayList<>();

  Background(Host host) {
    this.host = host;
  }

  /**
   * Runs a chore at once and then again after each rest, also when it fails: no chore ends by
   * itself.
   */
  void every(Duration rest, String name, Runnable chore) {
    repeat(rest, name, chore, false);
  }

  /** The same, but rests first: what a start that is in a hurry can do without. */
  void everyAfter(Duration rest, String name, Runnable chore) {
    repeat(rest, name, chore, true);
  }

  private void repeat(Duration rest, String name, Runnable chore, boolean restFirst) {
    AtomicBoolean resting = new AtomicBoolean(restFirst);
    Loop loop =
        new Loop(
            name,
            host,
            () -> {
              if (resting.getAndSet(false)) {
                return rest;
              }
              try {
                chore.run();
              } catch (LedgerException e) {
                log.warn("{} waits for the ledger: {}", name, e.getMessage());
              } catch (RuntimeException e) {
                log.error("{} failed; it runs again in {} s", name, rest.toSeconds(), e);
              }
              return rest;
            });
    loops.add(loop);
  }

  /** Runs a step as often as it says, also when it fails; the loop, to wake it. */
  Loop loop(String name, Loop.Step step) {
    Loop loop = new Loop(name, host, step);
    loops.add(loop);
    return loop;
  }

  void start() {
    loops.forEach(Loop::start);
  }

  void stop() {
    loops.forEach(Loop::stop);
  }
}
