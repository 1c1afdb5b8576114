package io.penstock.gameday.load;

import io.penstock.budget.SystemAccess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** The load generator as a process: posts, and ends with one line of JSON. */
@Command(name = "load", description = "Posts events on a fixed schedule.")
public final class LoadMain implements Callable<Integer> {
  @Option(names = "--api", required = true)
  private URI api = URI.create("");

  @Option(names = "--receiver")
  private @Nullable URI receiver;

  @Option(names = "--tenant", defaultValue = "load")
  private String tenant = "";

  @Option(names = "--destinations", defaultValue = "1000")
  private int destinations;

  @Option(names = "--prefix", defaultValue = "load-")
  private String prefix = "";

  @Option(names = "--bytes", defaultValue = "1024")
  private int bytes;

  @Option(names = "--batch", defaultValue = "100")
  private int batch;

  @Option(names = "--rate", defaultValue = "0", description = "events per second; 0 = no schedule")
  private double rate;

  @Option(names = "--events", required = true)
  private long events;

  @Option(names = "--connections", defaultValue = "4")
  private int connections;

  @Option(names = "--outstanding", defaultValue = "20000")
  private long outstanding;

  @Option(names = "--patience-seconds", defaultValue = "600")
  private long patienceSeconds;

  @Option(names = "--log", required = true, description = "where to write what was accepted")
  private Path log = Path.of("");

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new LoadMain()).execute(arguments));
  }

  @Override
  @SystemAccess("latencies are measured, and compared with the receiver's times")
  public Integer call() throws IOException, InterruptedException {
    Plan plan =
        new Plan(
            tenant,
            destinations,
            prefix,
            bytes,
            batch,
            rate,
            events,
            connections,
            outstanding,
            Duration.ofSeconds(patienceSeconds));
    String key = System.getenv().getOrDefault("PENSTOCK_API_KEY", "");
    LoadGenerator generator = new LoadGenerator(plan, api, key, receiver, System::nanoTime);
    Thread.ofPlatform().daemon().start(() -> stopAtEndOfInput(generator));
    LoadGenerator.Result result = generator.run(log);
    System.out.println(JsonMapper.builder().build().writeValueAsString(json(result)));
    return 0;
  }

  // Whoever started us says when to stop, and does so by dying too.
  private static void stopAtEndOfInput(LoadGenerator generator) {
    try {
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } finally {
      generator.stop();
    }
  }

  private static Map<String, Object> json(LoadGenerator.Result result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("accepted", result.accepted());
    json.put("refused", result.refused());
    json.put("failed", result.failed());
    json.put("took_nanos", result.tookNanos());
    json.put("p50_us", result.micros().getValueAtPercentile(50));
    json.put("p95_us", result.micros().getValueAtPercentile(95));
    json.put("p99_us", result.micros().getValueAtPercentile(99));
    return json;
  }
}
