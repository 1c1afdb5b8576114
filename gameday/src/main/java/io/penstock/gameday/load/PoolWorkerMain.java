package io.penstock.gameday.load;

import io.penstock.budget.SystemAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A worker as a process: works until its input ends, and ends with one line of JSON. */
@Command(name = "pool-worker", description = "Works for a pool until its input ends.")
public final class PoolWorkerMain implements Callable<Integer> {
  @Option(names = "--api", required = true)
  private URI api = URI.create("");

  @Option(names = "--pool", required = true)
  private String pool = "";

  @Option(names = "--name", required = true)
  private String name = "";

  @Option(names = "--log", required = true, description = "where to write what it held")
  private Path log = Path.of("");

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PoolWorkerMain()).execute(arguments));
  }

  @Override
  @SystemAccess("jobs take real time, and their times are compared with those of other processes")
  public Integer call() throws IOException {
    String key = System.getenv().getOrDefault("PENSTOCK_API_KEY", "");
    PoolWorker worker = new PoolWorker(api, key, pool, name, System::nanoTime);
    Thread.ofPlatform().daemon().start(() -> stopAtEndOfInput(worker));
    try (RunLog runs = new RunLog(log)) {
      System.out.println("{\"completed\":%d}".formatted(worker.run(runs)));
    }
    return 0;
  }

  // Whoever started us says when to stop, and does so by dying too.
  private static void stopAtEndOfInput(PoolWorker worker) {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      worker.stop();
    }
  }
}
