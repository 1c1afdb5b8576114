package io.penstock.push.lookup;

import io.penstock.push.lookup.Lookups.Life;
import io.penstock.push.lookup.Lookups.Result;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Looks host names up with a deadline. The JDK's look-up is a native call that no time-out reaches
 * and that would pin the carrier of a virtual thread, so it runs in a bounded pool of its own, once
 * at a time per name, and is kept for a short time. Safe for use by many threads.
 */
public final class Names {
  /** Long enough to spare a resolver at hundreds of new connections a second. */
  private static final Duration FRESH = Duration.ofSeconds(30);

  /** A resolver that is down for so long stops no destination whose addresses are known. */
  private static final Duration STALE = Duration.ofMinutes(10);

  /** A name that was just created is found soon. */
  private static final Duration FRESH_FAILURE = Duration.ofSeconds(5);

  /** Names kept; an entry is some 200 bytes. */
  private static final int CAPACITY = 10_000;

  /** The system's resolver, or a stand-in. */
  @FunctionalInterface
  public interface Resolver {
    /** Blocks until it knows; throws when the name has no address. */
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  private final Resolver resolver;
  private final Executor pool;
  private final Lookups<String, Resolution> lookups;
  private final NodeSuspicion suspicion;

  /**
   * @param pool runs the look-ups; bounded, rejects when it is full ({@link LookupPool})
   * @param nanos a monotonic clock
   */
  public Names(Resolver resolver, Executor pool, LongSupplier nanos) {
    this.resolver = resolver;
    this.pool = pool;
    this.lookups = new Lookups<>(this::ask, Names::life, CAPACITY, pool, nanos);
    this.suspicion = new NodeSuspicion(nanos);
  }

  /** With the system's own resolver, which follows the host's configuration. */
  public static Names ofSystem(Executor pool, LongSupplier nanos) {
    return new Names(InetAddress::getAllByName, pool, nanos);
  }

  /** The addresses of a name, waiting at most {@code patience}. */
  public Resolution resolve(String host, Duration patience) throws InterruptedException {
    return switch (lookups.get(host, patience)) {
      case Result.Got<Resolution>(Resolution.NotFound _) -> blame(host, patience);
      case Result.Got<Resolution>(Resolution resolution) -> resolution;
      case Result.Late<Resolution> _ -> new Resolution.Late();
      case Result.Crowded<Resolution> _ -> new Resolution.NodeTrouble();
    };
  }

  private Resolution ask(String host) {
    try {
      List<InetAddress> addresses = List.of(resolver.resolve(host));
      suspicion.resolved(host);
      return addresses.isEmpty() ? new Resolution.NotFound() : new Resolution.Found(addresses);
    } catch (UnknownHostException _) {
      return new Resolution.NotFound();
    }
  }

  private static Life life(Resolution resolution) {
    return resolution instanceof Resolution.Found
        ? new Life(FRESH, STALE, true)
        : new Life(FRESH_FAILURE, Duration.ZERO, false);
  }

  /**
   * Whose fault a failed look-up is. When several unrelated names have failed, one that resolved
   * earlier is asked for again: if that works, the names themselves are at fault.
   */
  private Resolution blame(String host, Duration patience) throws InterruptedException {
    return switch (suspicion.failed(host)) {
      case NodeSuspicion.Advice.Name _ -> new Resolution.NotFound();
      case NodeSuspicion.Advice.Node _ -> new Resolution.NodeTrouble();
      case NodeSuspicion.Advice.AskAgain(String known) -> {
        boolean works = resolves(known, patience);
        suspicion.asked(works);
        yield works ? new Resolution.NotFound() : new Resolution.NodeTrouble();
      }
    };
  }

  private boolean resolves(String host, Duration patience) throws InterruptedException {
    try {
      return CompletableFuture.supplyAsync(() -> ask(host), pool)
              .get(patience.toNanos(), TimeUnit.NANOSECONDS)
          instanceof Resolution.Found;
    } catch (ExecutionException | TimeoutException | RejectedExecutionException _) {
      return false;
    }
  }
}
