package io.penstock.push.signing;

import io.penstock.push.lookup.Lookups;
import io.penstock.push.lookup.Lookups.Life;
import io.penstock.push.lookup.Lookups.Result;
import io.penstock.push.secret.SecretAnswer;
import io.penstock.push.secret.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Turns references to secrets into keys that are ready to sign, and keeps those for a short time.
 * Safe for use by many threads.
 */
public final class Keyring {
  /** A new secret is used, and a withdrawn one forgotten, within this time. */
  private static final Duration FRESH = Duration.ofSeconds(30);

  /** A store that is down for so long stops no destination whose key is known. */
  private static final Duration STALE = Duration.ofMinutes(10);

  /** How soon a missing secret, or a silent store, is asked for again. */
  private static final Duration FRESH_FAILURE = Duration.ofSeconds(2);

  /** Keys kept; one is about a kilobyte. */
  private static final int CAPACITY = 10_000;

  /** How resolving references went. */
  public sealed interface Keys {
    /** All are there, in the order of the references. */
    record Ready(List<SigningKey> keys) implements Keys {}

    /** One is missing or is no signing key. The reason holds no secret. */
    record Missing(String why) implements Keys {}

    /** The store of one did not answer in time. */
    record Silent(String why) implements Keys {}
  }

  private sealed interface Answer {
    record Usable(SigningKey key) implements Answer {}

    record Missing(String why) implements Answer {}

    record Silent(String why) implements Answer {}
  }

  private final Secrets secrets;
  private final Lookups<String, Answer> lookups;

  /**
   * @param pool asks the stores; bounded, rejects when it is full
   * @param nanos a monotonic clock
   */
  public Keyring(Secrets secrets, Executor pool, LongSupplier nanos) {
    this.secrets = secrets;
    this.lookups = new Lookups<>(this::ask, Keyring::life, CAPACITY, pool, nanos);
  }

  /** The keys behind the references, waiting at most {@code patience} for each. */
  public Keys resolve(List<String> references, Duration patience) throws InterruptedException {
    List<SigningKey> keys = new ArrayList<>(references.size());
    for (String reference : references) {
      switch (lookups.get(reference, patience)) {
        case Result.Got<Answer>(Answer.Usable(SigningKey key)) -> keys.add(key);
        case Result.Got<Answer>(Answer.Missing(String why)) -> {
          return new Keys.Missing(why);
        }
        case Result.Got<Answer>(Answer.Silent(String why)) -> {
          return new Keys.Silent(why);
        }
        case Result.Late<Answer> _ -> {
          return new Keys.Silent("the secret store did not answer within " + patience);
        }
        case Result.Crowded<Answer> _ -> {
          return new Keys.Silent("too many secrets are being waited for");
        }
      }
    }
    return new Keys.Ready(keys);
  }

  private Answer ask(String reference) {
    return switch (secrets.fetch(reference)) {
      case SecretAnswer.Present(var secret) -> {
        try {
          yield new Answer.Usable(SigningKey.parse(secret.reveal()));
        } catch (IllegalArgumentException e) {
          yield new Answer.Missing(reference + ": " + e.getMessage());
        }
      }
      case SecretAnswer.Absent(String why) -> new Answer.Missing(why);
      case SecretAnswer.Silent(String why) -> new Answer.Silent(why);
    };
  }

  private static Life life(Answer answer) {
    return switch (answer) {
      case Answer.Usable _ -> new Life(FRESH, STALE, true);
      case Answer.Missing _ -> new Life(FRESH_FAILURE, Duration.ZERO, true);
      case Answer.Silent _ -> new Life(FRESH_FAILURE, Duration.ZERO, false);
    };
  }
}
