package io.penstock.server.why;

import io.penstock.budget.Decision;
import io.penstock.postgres.read.TubeView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What only tubes wait for: a worker that asks, and one that works. Pure. */
final class TubeWhy {
  private TubeWhy() {}

  /**
   * What is known of the workers of a tube.
   *
   * @param asked how many asked for it within a minute
   * @param last when the last one did; null = none did
   * @param holder who holds the job that is asked about; null = nobody does
   */
  record Workers(int asked, @Nullable Instant last, TubeView.@Nullable Running holder) {
    /** For what is pushed. */
    static final Workers NONE = new Workers(0, null, null);
  }

  /** A job that a worker holds. */
  static Why held(TubeView.Running holder, Instant now) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("worker", holder.worker());
    numbers.put("held_from", holder.heldFrom().toString());
    String sentence =
        "Worker %s has been working on it for %s%s; the lease runs until %s."
            .formatted(
                holder.worker(),
                Words.length(Duration.between(holder.heldFrom(), now)),
                holder.lent() ? ", on worker-time that its pool had to spare" : "",
                Words.time(holder.leaseUntil()));
    return new Why("leased", sentence, numbers, holder.leaseUntil(), null);
  }

  /** A tube that may go waits for a worker to ask. */
  static Why forWorker(Decision.Admit admit, Workers workers, Instant now) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("admitted", admit.most());
    numbers.put("workers", workers.asked());
    String who =
        workers.last() == null
            ? "no worker has asked for this tube within the last minute; is one running, and does"
                + " its pool name the tube?"
            : "%,d workers serve it, the last one asked %s ago; all may be busy."
                .formatted(workers.asked(), Words.length(Duration.between(workers.last(), now)));
    String sentence =
        "The budget lets %,d go, to workers that ask: %s".formatted(admit.most(), who);
    return new Why("waits_for_worker", sentence, numbers, null, null);
  }
}
