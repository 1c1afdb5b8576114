package io.penstock.gameday.load;

import io.penstock.budget.SystemAccess;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Workers as a process: they lease and complete, and it ends with one line of JSON. */
@Command(name = "workers", description = "Leases and completes jobs.")
public final class WorkerLoadMain implements Callable<Integer> {
  @Option(names = "--api", required = true)
  private URI api = URI.create("");

  @Option(names = "--tubes", required = true, description = "a JSON list without its brackets")
  private String tubes = "";

  @Option(names = "--most", defaultValue = "1")
  private int most;

  @Option(names = "--connections", defaultValue = "16")
  private int connections;

  @Option(names = "--jobs", required = true)
  private long jobs;

  @Option(names = "--rate", defaultValue = "0", description = "leases per second; 0 = all there is")
  private double rate;

  @Option(names = "--patience-seconds", defaultValue = "120")
  private long patienceSeconds;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new WorkerLoadMain()).execute(arguments));
  }

  @Override
  @SystemAccess("latencies are measured")
  public Integer call() throws InterruptedException {
    WorkerLoad.Plan plan =
        new WorkerLoad.Plan(
            tubes, most, connections, jobs, rate, Duration.ofSeconds(patienceSeconds));
    String key = System.getenv().getOrDefault("PENSTOCK_API_KEY", "");
    WorkerLoad.Result result = new WorkerLoad(api, key, plan, System::nanoTime).run();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("completed", result.completed());
    json.put("failed", result.failed());
    json.put("took_nanos", result.tookNanos());
    json.put("lease_p50_us", result.leases().getValueAtPercentile(50));
    json.put("lease_p95_us", result.leases().getValueAtPercentile(95));
    json.put("lease_p99_us", result.leases().getValueAtPercentile(99));
    json.put("end_p95_us", result.ends().getValueAtPercentile(95));
    System.out.println(JsonMapper.builder().build().writeValueAsString(json));
    return 0;
  }
}
