package io.penstock.server.wiring;

import io.penstock.budget.SystemAccess;
import io.penstock.engine.host.SystemHost;
import io.penstock.push.lookup.LookupPool;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * What the server asks of the machine that it runs on: threads, clocks, chance. The one place where
 * they enter. Close it last.
 */
final class Machine implements AutoCloseable {
  private final SystemHost host = new SystemHost();
  private final SecureRandom random;
  private final ExecutorService virtualThreads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor lookups = LookupPool.named("penstock-lookup");

  @SystemAccess("keys and ids of a running server come from the system's chance")
  Machine() {
    random = new SecureRandom();
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  SystemHost host() {
    return host;
  }

  /** Fit for secrets. */
  SecureRandom random() {
    return random;
  }

  ExecutorService virtualThreads() {
    return virtualThreads;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  ThreadPoolExecutor lookups() {
    return lookups;
  }

  /** The name of this machine, the same at every start. */
  String hostName() {
    return System.getenv().getOrDefault("HOSTNAME", "node");
  }

  /** A name that no other start of any node has. */
  String nodeName() {
    String plain = hostName().replaceAll("[^A-Za-z0-9.-]", "-");
    return "%s-%s"
        .formatted(
            plain.substring(0, Math.min(plain.length(), 40)),
            HexFormat.of().toHexDigits(random.nextInt()));
  }

  @Override
  public void close() {
    virtualThreads.shutdownNow();
    timer.shutdownNow();
    lookups.shutdownNow();
    host.close();
  }
}
