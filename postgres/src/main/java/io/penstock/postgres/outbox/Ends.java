package io.penstock.postgres.outbox;

import io.penstock.engine.outbox.OutboxEnd;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;

/** What becomes of the rows that a transaction has locked, gathered and then written. */
final class Ends {
  private final List<Long> gone = new ArrayList<>();
  private final List<Long> refused = new ArrayList<>();
  private final List<OutboxRefusal> why = new ArrayList<>();
  private final List<Long> later = new ArrayList<>();
  private final List<Duration> waits = new ArrayList<>();

  void add(long number, OutboxEnd end) {
    switch (end) {
      case OutboxEnd.Expanded() -> gone.add(number);
      case OutboxEnd.Refused(OutboxRefusal reason) -> refused(number, reason);
      case OutboxEnd.Later(Duration wait) -> {
        later.add(number);
        waits.add(wait);
      }
    }
  }

  void refused(long number, OutboxRefusal reason) {
    refused.add(number);
    why.add(reason);
  }

  List<OutboxRefusal> why() {
    return List.copyOf(why);
  }

  int deferred() {
    return later.size();
  }

  void write(Pool pool, Handle handle) {
    if (!gone.isEmpty()) {
      handle.createUpdate(PostgresOutbox.DELETE).bind("numbers", numbers(gone)).execute();
    }
    if (!refused.isEmpty()) {
      handle
          .createUpdate(PostgresOutbox.REFUSE)
          .bind("numbers", numbers(refused))
          .bind("reasons", Bind.texts(why.stream().map(one -> one.reason().word()).toList()))
          .bind("details", Bind.texts(why.stream().map(OutboxRefusal::detail).toList()))
          .bind("now", Bind.time(pool.now(handle)))
          .execute();
    }
    if (!later.isEmpty()) {
      handle
          .createUpdate(PostgresOutbox.DEFER)
          .bind("numbers", numbers(later))
          .bind("waits", Bind.longs(waits.stream().mapToLong(Ends::micros).toArray()))
          .bind("now", Bind.time(pool.now(handle)))
          .execute();
    }
  }

  private static long micros(Duration wait) {
    return wait.toNanos() / 1_000;
  }

  private static Argument numbers(List<Long> numbers) {
    return Bind.longs(PostgresOutbox.longs(numbers));
  }
}
