package io.penstock.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Things that happen at once, on threads of their own that start together. */
final class AtOnce {
  private AtOnce() {}

  /** Does it for all of them at once; the results in their order. */
  static <T, R> List<R> all(List<T> inputs, Function<T, R> work) throws Exception {
    List<Callable<R>> tasks = new ArrayList<>();
    inputs.forEach(input -> tasks.add(() -> work.apply(input)));
    return all(tasks);
  }

  static <R> List<R> all(List<Callable<R>> tasks) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<R>> futures = new ArrayList<>();
      for (Callable<R> task : tasks) {
        futures.add(
            threads.submit(() -> {
              start.await();
              return task.call();
            }));
      }
      start.countDown();
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }

  /** Does it on another thread, while this one stays where it is. */
  static <R> R aside(Callable<R> task) {
    try {
      return all(List.of(task)).getFirst();
    } catch (Exception e) {
      throw new AssertionError("the other thread failed", e);
    }
  }

  static <T> List<T> only(List<? super T> all, Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
