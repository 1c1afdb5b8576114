package io.penstock.push;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose deadlines come when the test says so. */
final class TestingTimer extends ScheduledThreadPoolExecutor {
  private record Alarm(Duration delay, Runnable task, ScheduledFuture<?> future) {}

  private final List<Alarm> alarms = new CopyOnWriteArrayList<>();

  TestingTimer() {
    super(1, Thread.ofPlatform().daemon().factory());
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    ScheduledFuture<?> never = super.schedule(task, 1, TimeUnit.DAYS);
    alarms.add(new Alarm(Duration.of(delay, unit.toChronoUnit()), task, never));
    return never;
  }

  /** Lets time pass: what is due within this and was not cancelled runs now, on this thread. */
  void fire(Duration within) {
    List<Alarm> due =
        alarms.stream().filter(alarm -> alarm.delay().compareTo(within) <= 0).toList();
    alarms.removeAll(due);
    due.stream().filter(alarm -> !alarm.future().isCancelled()).forEach(a -> a.task().run());
  }
}
