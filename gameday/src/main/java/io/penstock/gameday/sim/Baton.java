package io.penstock.gameday.sim;

import io.penstock.engine.host.HostEnded;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time and threads. Every simulated thread is a real one, but only who holds the baton
 * runs; it gives the baton back where it waits, and only there. Which of those that may run at an
 * instant goes first is drawn from the seed, so that a seed replays exactly.
 *
 * <p>The scheduler itself and everything in {@link #at} run on the thread that calls {@link #run}.
 */
final class Baton {
  private static final ThreadLocal<Baton> OF_THREAD = new ThreadLocal<>();

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Task> awaiting = new ArrayList<>();
  private final RandomGenerator random;
  private long now;
  private long sequence;
  private @Nullable Task current;
  private @Nullable Throwable failure;
  private final Thread scheduler;
  private long switches;

  Baton(RandomGenerator random) {
    this.random = random;
    this.scheduler = Thread.currentThread();
  }

  private record Event(long at, long tie, long sequence, @Nullable Host host, Runnable what)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      int byTie = byTime != 0 ? byTime : Long.compare(tie, other.tie);
      return byTie != 0 ? byTie : Long.compare(sequence, other.sequence);
    }
  }

  /** What can be stopped and killed: a process. Its tasks and events wait while it is stopped. */
  static final class Host {
    final String name;
    private final List<Event> heldUp = new ArrayList<>();
    private long stoppedUntil;
    boolean dead;

    Host(String name) {
      this.name = name;
    }
  }

  /** Ends the thread of a process that was killed, where it waits. */
  static final class Killed extends HostEnded {
    private static final long serialVersionUID = 1;

    Killed(String host) {
      super(host + " was killed");
    }
  }

  /** One simulated thread. */
  final class Task {
    final Host host;
    final String name;
    private final Thread thread;
    private volatile boolean holdsBaton;
    private @Nullable Object on;
    private @Nullable BooleanSupplier ready;
    private boolean woken;
    private long wake;
    private boolean ended;

    private Task(Host host, String name, Runnable body) {
      this.host = host;
      this.name = name;
      this.thread = Thread.ofVirtual().name(name).unstarted(() -> live(body));
    }

    private void live(Runnable body) {
      awaitBaton();
      OF_THREAD.set(Baton.this);
      try {
        if (!host.dead) {
          body.run();
        }
      } catch (Killed killed) {
        // Its process is gone.
      } catch (Throwable bug) {
        failed(bug);
      } finally {
        ended = true;
        giveBack();
      }
    }

    private void awaitBaton() {
      while (!holdsBaton) {
        LockSupport.park(this);
      }
    }

    private void giveBack() {
      holdsBaton = false;
      LockSupport.unpark(scheduler);
    }
  }

  /** Simulated nanoseconds since the start. */
  long now() {
    return now;
  }

  /** How often the baton changed hands. */
  long switches() {
    return switches;
  }

  /** The task that holds the baton; null while the scheduler runs an event. */
  @Nullable Task current() {
    return current;
  }

  /** Runs something on the scheduler's thread; it must not wait. A dead host's is dropped. */
  void at(long time, @Nullable Host host, Runnable what) {
    events.add(new Event(Math.max(time, now), random.nextInt() & 0xff, sequence++, host, what));
  }

  /** Starts a thread of a process. */
  void start(Host host, String name, Runnable body) {
    Task task = new Task(host, name, body);
    task.thread.start();
    at(now, host, () -> resume(task));
  }

  /** The current task waits so long. */
  void sleep(long nanos) {
    Task task = waiting();
    long wake = ++task.wake;
    at(now + nanos, task.host, () -> wake(task, wake));
    pass(task);
  }

  /**
   * The current task waits until {@code ready} holds, at most so long; whether it does. {@code
   * ready} is asked again after each {@link #changed} of {@code on}, and not after it was true.
   */
  boolean await(Object on, BooleanSupplier ready, long most) {
    Task task = waiting();
    if (ready.getAsBoolean()) {
      return true;
    }
    long wake = ++task.wake;
    task.on = on;
    task.ready = ready;
    task.woken = false;
    awaiting.add(task);
    at(now + most, task.host, () -> wake(task, wake));
    pass(task);
    return task.woken;
  }

  /** Something that tasks may await has changed. */
  void changed(Object on) {
    for (Task task : awaiting) {
      if (on.equals(task.on)) {
        long wake = task.wake;
        at(now, task.host, () -> lookAgain(task, wake));
      }
    }
  }

  private void lookAgain(Task task, long wake) {
    BooleanSupplier ready = task.ready;
    if (task.wake == wake && ready != null && ready.getAsBoolean()) {
      task.woken = true;
      wake(task, wake);
    }
  }

  private void wake(Task task, long wake) {
    if (task.wake == wake) {
      task.wake++;
      task.ready = null;
      awaiting.remove(task);
      resume(task);
    }
  }

  private Task waiting() {
    Task task = current;
    if (task == null) {
      throw new IllegalStateException("an event of the scheduler must not wait");
    }
    return task;
  }

  private void pass(Task task) {
    task.giveBack();
    task.awaitBaton();
    if (task.host.dead) {
      throw new Killed(task.host.name);
    }
  }

  /** Hands the baton to a task and waits until it comes back. */
  private void resume(Task task) {
    if (task.ended) {
      return;
    }
    switches++;
    Task before = current;
    current = task;
    task.holdsBaton = true;
    LockSupport.unpark(task.thread);
    while (task.holdsBaton) {
      LockSupport.park(this);
    }
    current = before;
    Throwable bug = failure;
    if (bug != null) {
      failure = null;
      throw new TaskFailed(task.name, bug);
    }
  }

  /** The baton of the simulated world that this thread belongs to; null outside of them all. */
  static @Nullable Baton ofThread() {
    return OF_THREAD.get();
  }

  /** The current task met a bug; the run ends when the baton comes back. */
  void failed(Throwable bug) {
    if (failure == null) {
      failure = bug;
    }
  }

  /** A simulated thread met a bug. */
  static final class TaskFailed extends RuntimeException {
    private static final long serialVersionUID = 1;
    final transient Throwable bug;

    TaskFailed(String task, Throwable bug) {
      super(task + " met " + bug, bug);
      this.bug = bug;
    }
  }

  /** Ends all threads of a process, where they wait. */
  void kill(Host host) {
    host.dead = true;
    goOn(host);
    for (Event event : List.copyOf(events)) {
      if (event.host == host) {
        events.remove(event);
        // Sleepers come to their end now; what was merely scheduled is dropped by its own check.
        events.add(new Event(now, event.tie, event.sequence, null, event.what));
      }
    }
  }

  /** Stops a process for a while: nothing of it runs, what it holds it keeps. */
  void stop(Host host, long nanos) {
    host.stoppedUntil = Math.max(host.stoppedUntil, now + nanos);
    at(
        host.stoppedUntil,
        null,
        () -> {
          if (host.stoppedUntil <= now) {
            goOn(host);
          }
        });
  }

  /** Ends a stop; what was held up meanwhile happens now. */
  void goOn(Host host) {
    host.stoppedUntil = 0;
    events.addAll(host.heldUp);
    host.heldUp.clear();
  }

  boolean isStopped(Host host) {
    return host.stoppedUntil > now;
  }

  /** Runs what is due until {@code time} or until {@code done} holds; whether it does. */
  boolean run(long time, BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      Event event = events.peek();
      if (event == null || event.at > time) {
        now = Math.max(now, time);
        return done.getAsBoolean();
      }
      events.poll();
      now = Math.max(now, event.at);
      Host host = event.host;
      if (host != null && host.stoppedUntil > now) {
        host.heldUp.add(event);
        continue;
      }
      event.what.run();
    }
    return true;
  }

  /** Ends every thread that is left. */
  void close(List<Host> hosts) {
    hosts.forEach(this::kill);
    run(now, () -> false);
  }
}
