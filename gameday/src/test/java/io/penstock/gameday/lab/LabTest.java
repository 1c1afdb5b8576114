package io.penstock.gameday.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gameday.report.Report;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The bars of the labs, on simulated time. */
final class LabTest {
  private static final long SEED = 7_001;

  private final Report report = new Report("lab");

  private void everyBarIsMet() {
    StringWriter text = new StringWriter();
    assertThat(report.print(new PrintWriter(text), false)).as(text.toString()).isEqualTo(0);
  }

  @Test
  void unknownLimitsAreFoundAndUsed() {
    new BudgetScenarios(report, SEED, 9).unknownLimits();
    everyBarIsMet();
  }

  @Test
  void slowLimitsAreNotHammered() {
    new BudgetScenarios(report, SEED, 3).slowLimits();
    everyBarIsMet();
  }

  @Test
  @DisplayName("case 14: a wall halves, parks, and is forgotten within seconds of its end")
  void case14_wallsHalveParkAndEnd() {
    new BudgetScenarios(report, SEED, 1).walls();
    everyBarIsMet();
  }

  @Test
  void aLiftedLimitIsNoticed() {
    new BudgetScenarios(report, SEED, 1).lifted();
    everyBarIsMet();
  }

  @Test
  @DisplayName("case 50: shares are in worker-seconds, with jobs of 34 s against jobs of 1 s")
  void case50_sharesAreInWorkerSeconds() {
    TubesScenarios scenarios = new TubesScenarios(report, SEED);
    scenarios.shares();
    scenarios.aMeanThatJumps();
    everyBarIsMet();
  }

  @Test
  @DisplayName(
      "case 51: an account, charged at the lease, keeps small batches and people waiting little")
  void case51_theRuleBeatsCountingRequests() {
    StringWriter out = new StringWriter();
    CommandLine tubes = new CommandLine(new TubesLab()).setOut(new PrintWriter(out));
    assertThat(tubes.execute("--json")).isZero();
    assertThat(out.toString()).startsWith("{\"name\":\"sim tubes\",\"figures\":{").endsWith("}}\n");
  }
}
