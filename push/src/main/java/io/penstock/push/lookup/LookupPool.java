package io.penstock.push.lookup;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes the bounded pools of platform threads that look-ups run in. */
public final class LookupPool {
  /** As many look-ups may hang at once before others have to wait; a thread costs some 100 KiB. */
  private static final int THREADS = 32;

  /** Look-ups that wait for a thread; beyond that the node says that it is in trouble. */
  private static final int QUEUE = 1_024;

  private static final int IDLE_SECONDS = 30;

  private LookupPool() {}

  /** A pool whose threads carry this name and end when they are idle; close it at the end. */
  public static ThreadPoolExecutor named(String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
