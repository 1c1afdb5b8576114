package io.penstock.gameday.lab;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Workers that serve several tubes on simulated time: of the tubes that may go, the one whose
 * oldest job has waited longest. Leases are renewed every 30 s and charged for it.
 */
final class Pool {
  private static final long RENEWED_EVERY = 30 * Timeline.SECOND;

  private final Timeline timeline = new Timeline();
  private final List<Tube> tubes;
  private final boolean lending;
  private int free;
  private long idleSince;

  Pool(List<Tube> tubes, int workers, boolean lending) {
    this.tubes = tubes;
    this.lending = lending;
    free = workers;
  }

  static Instant start() {
    return new Timeline().instant();
  }

  Timeline timeline() {
    return timeline;
  }

  /** Jobs of one length arrive together, and the pool looks what may go. */
  void arrives(long at, Tube tube, int count, double seconds) {
    timeline.at(
        at,
        () -> {
          tube.arrive(timeline.now(), count, seconds);
          serve();
        });
  }

  /** Looks every second too: accounts fill with time. */
  void run(long seconds) {
    for (long second = 0; second < seconds; second++) {
      timeline.at(second * Timeline.SECOND, this::serve);
    }
    timeline.runUntil(seconds * Timeline.SECOND);
  }

  private void serve() {
    while (free > 0) {
      Instant now = timeline.instant();
      Tube next = tubes.stream().filter(tube -> tube.mayGo(now)).min(oldestFirst()).orElse(null);
      if (next != null) {
        lease(next);
        continue;
      }
      Tube borrower = lending ? borrower() : null;
      if (borrower == null) {
        return;
      }
      lend(borrower);
    }
  }

  private static Comparator<Tube> oldestFirst() {
    return Comparator.comparingLong(tube -> tube.waiting.getFirst().arrived());
  }

  private @Nullable Tube borrower() {
    Duration idle = Duration.ofNanos((timeline.now() - idleSince) * 1_000);
    return tubes.stream()
        .filter(tube -> tube.mayBorrow(free, idle))
        .min(oldestFirst())
        .orElse(null);
  }

  private void lease(Tube tube) {
    take();
    Tube.Job job = tube.waiting.removeFirst();
    tube.started(job, timeline.now());
    Duration charged = tube.balance.chargePerJob();
    tube.balance = tube.balance.leased(tube.settings, 1);
    long ends = timeline.now() + (long) (job.seconds() * Timeline.SECOND);
    hold(tube, job, timeline.now(), ends, charged);
  }

  private void hold(Tube tube, Tube.Job job, long began, long ends, Duration charged) {
    long renews = timeline.now() + RENEWED_EVERY;
    if (renews < ends) {
      timeline.at(
          renews,
          () -> {
            Duration held = Duration.ofNanos((timeline.now() - began) * 1_000);
            tube.balance =
                tube.balance
                    .accrue(tube.settings, timeline.instant())
                    .renewed(tube.settings, charged, held);
            hold(tube, job, began, ends, held.compareTo(charged) > 0 ? held : charged);
          });
      return;
    }
    timeline.at(
        ends,
        () -> {
          Duration took = Duration.ofNanos((ends - began) * 1_000);
          tube.balance =
              tube.balance
                  .accrue(tube.settings, timeline.instant())
                  .ended(tube.settings, charged, took, true, false);
          end(tube, job);
        });
  }

  private void lend(Tube tube) {
    take();
    Tube.Job job = tube.waiting.removeFirst();
    tube.started(job, timeline.now());
    timeline.after(
        (long) (job.seconds() * Timeline.SECOND),
        () -> {
          Duration took = Duration.ofNanos((long) (job.seconds() * 1e9));
          tube.balance = tube.balance.borrowed(tube.settings, took, true, false);
          end(tube, job);
        });
  }

  private void take() {
    free--;
  }

  private void end(Tube tube, Tube.Job job) {
    free++;
    idleSince = timeline.now();
    tube.workedSeconds += job.seconds();
    tube.ended(job, timeline.now());
    serve();
  }
}
