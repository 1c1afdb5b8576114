package io.penstock.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.LimitsDocument;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LimitsDiffTest {
  private static String diff(String before, String after) {
    return LimitsDiff.text(
        LimitsDiff.of(LimitsReader.read("before", before), LimitsReader.read("after", after)));
  }

  @Test
  void whatHoldsIsComparedAndNotWhatIsWritten() {
    assertThat(diff("", "defaults: {burst: 200}\n")).isEmpty();
    assertThat(diff("destinations: {d: {burst: 5}}", "defaults: {burst: 5}"))
        .isEqualTo("defaults.burst: 200 -> 5");
  }

  @Test
  void theLowWatermarkIsTheOneInForce() {
    assertThat(diff("", "defaults: {redrive: {low_watermark: 500}}"))
        .isEqualTo("defaults.redrive.low_watermark: 2000 -> 500");
  }

  @Test
  void whatAppearsAndGoesIsNamed() {
    assertThat(
            diff(
                "destinations: {d: {outcomes: {409: delivered}}}\npools: {p: {size: 1}}",
                "destinations: {d: {quota: {limit: 7}}}\nretention: {audit: 10d}"))
        .isEqualTo(
            """
            destinations.d.quota: none -> absent
            destinations.d.outcomes.409: delivered -> absent
            destinations.d.quota.per: absent -> day
            destinations.d.quota.zone: absent -> UTC
            destinations.d.quota.limit: absent -> 7
            destinations.d.quota.reserve_interactive: absent -> 0
            pools.p.size: 1 -> absent
            pools.p.destinations: all -> absent
            retention.audit: 365d -> 10d\
            """);
  }

  @Test
  void everyKeyOfTheShippedFileIsCompared() throws IOException {
    String changes =
        LimitsDiff.text(
            LimitsDiff.of(
                LimitsDocument.DEFAULT, LimitsReader.read("limits.yaml", SampleFileTest.text())));
    assertThat(changes)
        .contains("destinations.dst_9f31c.adaptive.floor_per_second: 0 -> 5")
        .contains("destinations.dst_9f31c.auto_disable.failures: absent -> 100")
        .contains("destinations.dst_04aa7.outcomes.404: absent -> transient")
        .contains("destinations.dst_04aa7.retry.unknown.max_attempts: none -> 3")
        .contains("destinations.dst_77be0.adaptive: absent -> off")
        .contains("tenants.acme.dead_letters: none -> 60d")
        .doesNotContain("defaults.");
  }
}
