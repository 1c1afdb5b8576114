package io.penstock.server.limits;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.limits.LimitsStore;
import io.penstock.postgres.limits.LimitsStore.Publication;
import io.penstock.postgres.limits.NewLimits;
import io.penstock.server.yaml.FaultyFileException;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes this node's own limits file when it changes, and only then: never because it differs
 * from what another node published. What the file held last is kept in the ledger, so that a change
 * while the node was down is one too. One thread; {@link #changed} may be called by any.
 */
public final class LimitsFileWatch {
  /** Between looks at the file's mark, for changes that no watch tells of. */
  public static final Duration INTERVAL = Duration.ofMillis(500);

  /** A file has to hold the same for so long: whoever writes in place writes in pieces. */
  static final Duration DEBOUNCE = Duration.ofMillis(50);

  /** The file is read at every such look, whatever its mark says. */
  private static final int READ_EVERY = 20;

  private static final Logger log = LoggerFactory.getLogger(LimitsFileWatch.class);
  private static final Audit BY = new Audit("penstock", "the limits file changed");

  private final LimitsFile file;
  private final String place;
  private final LimitsStore store;
  private final LimitsPublisher publisher;
  private final LiveLimits live;
  private final Runnable complained;
  private volatile boolean told;
  private @Nullable String handled;
  private @Nullable String candidate;
  private Optional<String> mark = Optional.empty();
  private int looks;

  /**
   * Not begun.
   *
   * @param host that the file lies on
   * @param complained hears when there is something new to complain about, or no more
   */
  LimitsFileWatch(
      LimitsFile file,
      String host,
      LimitsStore store,
      LimitsPublisher publisher,
      LiveLimits live,
      Runnable complained) {
    this.file = file;
    this.place = host + ":" + file.path();
    this.store = store;
    this.publisher = publisher;
    this.live = live;
    this.complained = complained;
  }

  /**
   * At the node's start: the first file of an installation becomes its first version; a file that
   * changed while the node was down is published; any other is only remembered.
   *
   * @throws FaultyFileException when the first file of an installation is at fault
   */
  public void begin() {
    Optional<String> text;
    try {
      mark = file.mark();
      text = file.text();
    } catch (IOException e) {
      log.warn("limits: {} cannot be read: {}", file.path(), e.toString());
      return;
    } catch (FaultyFileException faulty) {
      if (store.inForceNo() == 0) {
        throw faulty;
      }
      refuse(String.valueOf(faulty.getMessage()));
      return;
    }
    if (text.isEmpty()) {
      return;
    }
    String hash = hash(text.get());
    Optional<String> before = store.lastSeen(place);
    if (store.inForceNo() == 0) {
      publishNow(text.get(), no -> no == 0);
      store.seen(place, LimitsPublisher.sha256(text.get()));
    } else if (before.isPresent() && !before.get().equals(hash)) {
      handle(text.get());
    } else if (before.isEmpty()) {
      store.seen(place, LimitsPublisher.sha256(text.get()));
      if (store.inForce().stream().noneMatch(version -> version.hash().equals(hash))) {
        log.warn(
            "limits: {} differs from version {} in force and is not published, since it has not"
                + " changed here; penstock limits apply does that",
            file.path(),
            store.inForceNo());
      }
    } else {
      complainIfFaulty(text.get());
    }
    handled = hash;
  }

  /** A file that was refused before the node's start is refused still. */
  private void complainIfFaulty(String text) {
    try {
      LimitsReader.read(file.path().toString(), text);
    } catch (FaultyFileException faulty) {
      refuse(String.valueOf(faulty.getMessage()));
    }
  }

  /** Something may have changed: look soon, and whatever the file's mark says. */
  public void changed() {
    told = true;
  }

  /** Looks once; returns how long to rest. */
  public Duration runOnce() {
    boolean reads = told || candidate != null || ++looks % READ_EVERY == 0;
    told = false;
    try {
      Optional<String> now = file.mark();
      if (!reads && now.equals(mark)) {
        return INTERVAL;
      }
      Optional<String> text = file.text();
      mark = now;
      if (text.isEmpty()) {
        candidate = null; // on its way from one place to the other, or gone: what is in force stays
        return INTERVAL;
      }
      return look(text.get());
    } catch (IOException e) {
      log.debug("limits: {} cannot be read now: {}", file.path(), e.toString());
      return INTERVAL;
    } catch (FaultyFileException unreadable) {
      refuse(String.valueOf(unreadable.getMessage()));
      return INTERVAL;
    }
  }

  private Duration look(String text) {
    String hash = hash(text);
    if (hash.equals(handled)) {
      candidate = null;
      return INTERVAL;
    }
    if (!hash.equals(candidate)) {
      candidate = hash;
      return DEBOUNCE;
    }
    handle(text);
    handled = hash;
    candidate = null;
    return INTERVAL;
  }

  private void handle(String text) {
    try {
      publishNow(text, _ -> stillHolds(text));
    } catch (FaultyFileException faulty) {
      refuse(String.valueOf(faulty.getMessage()));
    }
  }

  private void publishNow(String text, Function<Long, Boolean> still) {
    NewLimits limits =
        new NewLimits(text, LimitsPublisher.sha256(text), "", "", "", BY.reason(), place);
    switch (publisher.publish(file.path().toString(), limits, BY, place, still)) {
      case Publication.Applied applied -> {
        log.info("limits: {} is version {}", file.path(), applied.version().versionNo());
        accept();
      }
      case Publication.Same _ -> accept();
      case Publication.Outdated _ -> {} // it changed again, and is looked at again
    }
  }

  /** Asked under the store's lock, so that of several nodes with one file the last look counts. */
  private boolean stillHolds(String text) {
    try {
      return file.text().filter(text::equals).isPresent();
    } catch (IOException | FaultyFileException _) {
      return false;
    }
  }

  private void refuse(String complaint) {
    if (!live.fileComplaint().equals(complaint)) {
      log.error("limits: refused, version {} stays in force:\n{}", live.versionNo(), complaint);
      live.fileRefused(complaint);
      complained.run();
    }
  }

  private void accept() {
    live.fileAccepted();
    complained.run();
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(LimitsPublisher.sha256(text));
  }
}
