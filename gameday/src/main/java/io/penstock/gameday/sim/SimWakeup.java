package io.penstock.gameday.sim;

import io.penstock.engine.wakeup.Wakeup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Hints between the simulated nodes: late, doubled, or lost. */
final class SimWakeup {
  private static final long SOON_NANOS = 3_000_000;
  private static final long LATE_NANOS = 4_000_000_000L;

  private final Baton baton;
  private final RandomGenerator random;
  private final List<Ear> ears = new ArrayList<>();
  private double lost;
  private boolean onTime;

  SimWakeup(Baton baton, RandomGenerator random) {
    this.baton = baton;
    this.random = random;
  }

  /** The share of hints that never come. */
  void lose(double share) {
    lost = share;
  }

  /** From now on every hint is there at once: only a node at which a worker waits can act on it. */
  void onTime() {
    onTime = true;
  }

  Wakeup of(Baton.Host process) {
    return new Ear(process);
  }

  private void tell(Ear from, Consumer<Wakeup.Listener> hint) {
    for (Ear ear : List.copyOf(ears)) {
      if (ear == from || ear.process.dead || random.nextDouble() < lost) {
        continue;
      }
      int copies = random.nextInt(10) == 0 ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        long delay = random.nextLong(random.nextInt(10) == 0 ? LATE_NANOS : SOON_NANOS);
        long after = onTime ? Math.min(delay, SOON_NANOS) : delay;
        baton.at(baton.now() + after, ear.process, () -> ear.hear(hint));
      }
    }
  }

  private final class Ear implements Wakeup {
    private final Baton.Host process;
    private final List<Listener> listeners = new ArrayList<>();

    Ear(Baton.Host process) {
      this.process = process;
    }

    private void hear(Consumer<Listener> hint) {
      if (!process.dead) {
        listeners.forEach(hint);
      }
    }

    @Override
    public void due(int shard, Collection<String> destinationIds) {
      List<String> ids = List.copyOf(destinationIds);
      tell(this, listener -> listener.due(shard, ids));
    }

    @Override
    public void gatesChanged() {
      tell(this, Listener::gatesChanged);
    }

    @Override
    public void rebuild() {
      tell(this, Listener::rebuild);
    }

    @Override
    public void listen(Listener listener) {
      listeners.add(listener);
      ears.add(this);
    }

    @Override
    public void close() {
      ears.remove(this);
    }
  }
}
