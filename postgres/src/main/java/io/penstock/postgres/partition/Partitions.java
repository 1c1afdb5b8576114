package io.penstock.postgres.partition;

import io.penstock.postgres.Failures;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Makes the partitions of days (UTC): some ahead of time, and a missing one when a row asks for it.
 * Safe for use by many threads and nodes.
 */
public final class Partitions {
  /** Whole days that lie ready beyond today, so that a week of a stopped upkeep does no harm. */
  public static final int DAYS_AHEAD = 7;

  private final Pool pool;

  public Partitions(Pool pool) {
    this.pool = pool;
  }

  /** Makes what is missing from yesterday to {@link #DAYS_AHEAD} days ahead; returns how many. */
  public int ahead() {
    LocalDate today = today();
    List<LocalDate> days = new ArrayList<>();
    for (int i = -1; i <= DAYS_AHEAD; i++) {
      days.add(today.plusDays(i));
    }
    return ensure(days);
  }

  /** Makes what is missing for these days; returns how many partitions it made. */
  public int ensure(Collection<LocalDate> days) {
    int made = 0;
    for (LocalDate day : days) {
      made +=
          pool.transaction(
              Use.LOOP,
              handle ->
                  handle
                      .createQuery("select penstock.add_day(:day)")
                      .bind("day", day)
                      .mapTo(Integer.class)
                      .one());
    }
    return made;
  }

  /**
   * Does {@code work}, and does it once more with the partitions of {@code times}, yesterday, today
   * and tomorrow when it met a row without one.
   */
  public <T> T onDemand(Collection<Instant> times, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      if (!Failures.isCheck(e)) {
        throw e;
      }
      LocalDate today = today();
      SortedSet<LocalDate> days = new TreeSet<>();
      days.add(today.minusDays(1));
      days.add(today);
      days.add(today.plusDays(1));
      times.forEach(time -> days.add(LocalDate.ofInstant(time, ZoneOffset.UTC)));
      ensure(days); // or another caller has just made them
      return work.get();
    }
  }

  private LocalDate today() {
    return LocalDate.ofInstant(pool.read(Use.LOOP, pool::now), ZoneOffset.UTC);
  }
}
