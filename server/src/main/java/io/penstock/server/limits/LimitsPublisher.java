package io.penstock.server.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.limits.Difference;
import io.penstock.postgres.limits.LimitsStore;
import io.penstock.postgres.limits.LimitsStore.Publication;
import io.penstock.postgres.limits.LimitsVersion;
import io.penstock.postgres.limits.NewLimits;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes versions of the limits: the one way in, whoever asks. Safe for use by many threads. */
final class LimitsPublisher {
  /** Ids that nobody knows are told up to here. */
  private static final int MOST_UNKNOWN = 20;

  private final LimitsStore store;
  private final Runnable published;

  /**
   * @param published hears of every new version, to look at it and to tell the other nodes; must
   *     not block
   */
  LimitsPublisher(LimitsStore store, Runnable published) {
    this.store = store;
    this.published = published;
  }

  /**
   * Checks a text and makes it the version in force.
   *
   * @param name of the text, for messages
   * @param place of the file that it comes from; null = from no file
   * @param still asked under the lock with the number in force: whether it is still wanted
   * @throws FaultyFileException when it is refused; that is stored too
   */
  Publication publish(
      String name,
      NewLimits limits,
      Audit by,
      @Nullable String place,
      Function<Long, Boolean> still) {
    LimitsDocument document;
    try {
      document = LimitsReader.read(name, limits.content());
    } catch (FaultyFileException faulty) {
      store.refused(storable(limits), by, place, storable(String.valueOf(faulty.getMessage())));
      throw faulty;
    }
    Publication publication =
        store.publish(limits, by, place, still, before -> difference(before, document));
    if (publication instanceof Publication.Applied) {
      published.run();
    }
    return publication;
  }

  private static Difference difference(Optional<LimitsVersion> before, LimitsDocument after) {
    return LimitsDiff.difference(
        LimitsDiff.of(before.map(LimitsPublisher::readable).orElse(LimitsDocument.DEFAULT), after));
  }

  /** A version in force that this program cannot read is compared as if it said nothing. */
  private static LimitsDocument readable(LimitsVersion version) {
    try {
      return LimitsReader.read("version " + version.versionNo(), version.content());
    } catch (FaultyFileException _) {
      return LimitsDocument.DEFAULT;
    }
  }

  /** Postgres stores no NUL. */
  private static NewLimits storable(NewLimits limits) {
    return new NewLimits(
        storable(limits.content()),
        limits.sha256(),
        limits.author(),
        limits.reviewer(),
        limits.commit(),
        limits.reason(),
        limits.source());
  }

  private static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }

  /** What is worth saying about a text that can be applied. */
  List<Fault> notes(LimitsReader.Reading reading) {
    Set<String> known = store.destinationsAmong(reading.destinations().keySet());
    return reading.destinations().entrySet().stream()
        .filter(entry -> !known.contains(entry.getKey()))
        .sorted((a, b) -> Integer.compare(a.getValue().line(), b.getValue().line()))
        .limit(MOST_UNKNOWN)
        .map(entry ->
            new Fault(
                entry.getValue(),
                "destinations." + entry.getKey(),
                "there is no such destination yet"))
        .toList();
  }

  static byte[] sha256(String content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
