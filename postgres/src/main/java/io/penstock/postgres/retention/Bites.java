package io.penstock.postgres.retention;

import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.HotPath;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Deletes what is old in small bites, each a transaction of its own. */
public final class Bites {
  private Bites() {}

  /** One bite; how many rows went. */
  @FunctionalInterface
  public interface Bite {
    int take(Handle handle, Instant before);
  }

  /**
   * Bites until one is not full, at most {@code most} times; how many rows went.
   *
   * @param size rows of a full bite
   * @param kept how old a row must be
   */
  public static int take(Pool pool, Duration kept, int size, int most, Bite bite) {
    int all = 0;
    for (int n = 0; n < most; n++) {
      int gone =
          pool.transaction(
              Use.CALLER,
              handle -> {
                HotPath.enter(handle);
                return bite.take(handle, pool.now(handle).minus(kept));
              });
      all += gone;
      if (gone < size) {
        break;
      }
    }
    return all;
  }
}
