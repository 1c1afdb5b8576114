package io.penstock.server.limits;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.postgres.Pool;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.limits.LimitsStore;
import io.penstock.postgres.node.NodeStore;
import io.penstock.server.http.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that keep one node's limits alive, put together: the follower of versions, the watch of
 * the node's own file, and the routes. Whoever wires the server gives them loops and threads.
 */
public final class LiveParts {
  private static final Logger log = LoggerFactory.getLogger(LiveParts.class);

  private final LiveLimits live;
  private final LimitsFollower follower;
  private final LimitsFileWatch file;
  private final DirectoryWatch directory;
  private final LimitsRoutes routes;
  private final NodeStore nodes;
  private final String nodeName;
  private volatile boolean begun;
  private volatile Runnable wakeFollower = () -> {};
  private volatile Runnable wakeFile = () -> {};

  /**
   * Makes them; nothing runs yet.
   *
   * @param limitsFile the node's own file, which need not exist
   * @param host on which it lies
   * @param changed hears when this node obeys other limits
   * @param tellOthers hears when this node made a version
   */
  public LiveParts(
      Pool pool,
      LiveLimits live,
      Path limitsFile,
      String host,
      String nodeName,
      NodeStore nodes,
      Runnable changed,
      Runnable tellOthers) {
    this.live = live;
    this.nodes = nodes;
    this.nodeName = nodeName;
    LimitsStore store = new LimitsStore(pool);
    this.follower =
        new LimitsFollower(
            store,
            live,
            () -> {
              if (begun) {
                changed.run();
                report();
              }
            });
    LimitsPublisher publisher =
        new LimitsPublisher(
            store,
            () -> {
              wakeFollower.run();
              tellOthers.run();
            });
    this.file =
        new LimitsFileWatch(new LimitsFile(limitsFile), host, store, publisher, live, this::report);
    this.directory =
        DirectoryWatch.of(
            limitsFile,
            () -> {
              file().changed();
              wakeFile.run();
            });
    this.routes = new LimitsRoutes(store, publisher, new Arrivals(pool), nodes, live);
  }

  private LimitsFileWatch file() {
    return file;
  }

  /**
   * Before the node starts: its file is looked at, and the version in force is obeyed.
   *
   * @throws io.penstock.server.yaml.FaultyFileException when there is no version yet and the file
   *     is at fault
   */
  public void begin() {
    file.begin();
    follower.runOnce();
    begun = true;
  }

  /** How the loops of the two steps are woken. */
  public void wokenBy(Runnable follow, Runnable lookAtFile) {
    wakeFollower = follow;
    wakeFile = lookAtFile;
  }

  /** One look for a new version; returns how long to rest. */
  public Duration follow() {
    try {
      follower.runOnce();
    } catch (LedgerException e) {
      log.warn(
          "limits: version {} stays, the ledger does not answer: {}",
          live.versionNo(),
          e.getMessage());
    }
    return LimitsFollower.INTERVAL;
  }

  /** One look at the file; returns how long to rest. */
  public Duration lookAtFile() {
    try {
      return file.runOnce();
    } catch (LedgerException e) {
      log.warn("limits: the file waits for the ledger: {}", e.getMessage());
      return LimitsFileWatch.INTERVAL;
    }
  }

  /** Another node made a version, perhaps. Never blocks. */
  public void hint() {
    wakeFollower.run();
  }

  /** Waits for changes in the file's folder until {@link #close}. */
  public void watchFolder() {
    directory.run();
  }

  /** Ends the watch. */
  public void close() {
    directory.close();
  }

  /** Says in the ledger which version this node obeys. */
  public void report() {
    nodes.obeys(nodeName, live.versionNo(), live.complaint());
  }

  public List<Route> routes() {
    return routes.routes();
  }
}
