package io.penstock.server.limits;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.limits.LimitsStore;
import io.penstock.postgres.limits.LimitsVersion;
import io.penstock.server.yaml.FaultyFileException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets this node obey the newest version of the limits. Whoever makes one tells; that hint may be
 * lost, so the number is asked for a few times a second too. One thread.
 */
public final class LimitsFollower {
  /** Between looks: every node obeys a new version within a second, also when no hint comes. */
  public static final Duration INTERVAL = Duration.ofMillis(250);

  private static final Logger log = LoggerFactory.getLogger(LimitsFollower.class);

  private final LimitsStore store;
  private final LiveLimits live;
  private final Runnable changed;
  private long lookedAt;

  /**
   * @param changed hears of every change of what is obeyed or complained about
   */
  public LimitsFollower(LimitsStore store, LiveLimits live, Runnable changed) {
    this.store = store;
    this.live = live;
    this.changed = changed;
  }

  /** Looks once. Throws LedgerException when the ledger does not answer. */
  public void runOnce() {
    if (store.inForceNo() == lookedAt) {
      return;
    }
    Optional<LimitsVersion> newest = store.inForce();
    if (newest.isEmpty() || newest.get().versionNo() == lookedAt) {
      return;
    }
    LimitsVersion version = newest.get();
    lookedAt = version.versionNo();
    String name = "version " + version.versionNo();
    try {
      LimitsDocument document = LimitsReader.read(name, version.content());
      live.obey(version.versionNo(), document);
      log.info("limits: version {} is in force here", version.versionNo());
    } catch (FaultyFileException faulty) {
      live.versionRefused(String.valueOf(faulty.getMessage()));
      log.error(
          "limits: this node cannot read version {} and keeps version {}; is it older than the one"
              + " that made it? {}",
          version.versionNo(),
          live.versionNo(),
          faulty.getMessage());
    }
    changed.run();
  }
}
