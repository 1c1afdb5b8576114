package io.penstock.gameday.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private final StringWriter text = new StringWriter();

  private int print(Report report, boolean json) {
    return report.print(new PrintWriter(text), json);
  }

  @Test
  void jsonIsOneLineWithNameFiguresBarsAndSettings() {
    Report report =
        new Report("probe")
            .figure("rate_per_second", 1234.56)
            .figure("sent", 12)
            .atLeast("rate", 1234.56, 1000, "per second")
            .setting("seed", 7);
    assertThat(print(report, true)).isEqualTo(Report.MET);
    assertThat(text.toString())
        .isEqualToIgnoringNewLines(
            """
            {"name":"probe","figures":{"rate_per_second":1235,"sent":12},\
            "bars":[{"name":"rate","wanted":"at least 1000 per second",\
            "got":"1235 per second","ok":true}],"settings":{"seed":7}}\
            """);
  }

  @Test
  void oneMissedBarIsAnExitCodeOfOne() {
    Report report = new Report("probe").atMost("a", 1, 2, "s").atMost("b", Double.NaN, 2, "s");
    assertThat(print(report, false)).isEqualTo(Report.MISSED);
    assertThat(text.toString())
        .contains("met    a: wanted at most 2 s, got 1 s")
        .contains("MISSED b: wanted at most 2 s, got none");
  }
}
