package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Child;
import io.penstock.gameday.stand.ProcessTimes;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Processor time by who spent it.
 *
 * @param spent by name: {@code sql} is all of Postgres
 */
record CpuTimes(Map<String, Duration> spent) {

  /** Of Postgres, and of these children by their names. */
  static CpuTimes now(Stand stand, Map<String, Child> children) throws IOException {
    Map<String, Duration> spent = new LinkedHashMap<>();
    spent.put("sql", ProcessTimes.cpuOfFamily(stand.postgresPid()));
    children.forEach((name, child) -> spent.put(name, ProcessTimes.cpu(child.pid())));
    return new CpuTimes(spent);
  }

  CpuTimes since(CpuTimes earlier) {
    Map<String, Duration> difference = new LinkedHashMap<>();
    spent.forEach((name, time) ->
        difference.put(name, time.minus(earlier.spent.getOrDefault(name, Duration.ZERO))));
    return new CpuTimes(difference);
  }

  /** Microseconds per delivery, and their sum. */
  void addTo(Report report, double deliveries) {
    double sum = 0;
    for (var entry : spent.entrySet()) {
      double micros = entry.getValue().toNanos() / 1e3 / deliveries;
      sum += micros;
      report.figure("cpu_" + entry.getKey() + "_us_per_delivery", micros);
    }
    report.figure("cpu_all_us_per_delivery", sum);
  }
}
