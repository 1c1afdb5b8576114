package io.penstock.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.server.yaml.FaultyFileException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsReaderTest {
  private static final String SAMPLE =
      """
      defaults:
        rate_per_second: 50
        burst: 200
        max_attempts: 8
      destinations:
        dst_9f31c: # large ERP integration; steady but strict WAF
          rate_per_second: 25
          burst: 50
        dst_04aa7: # flash-sale platform; spiky by design
          rate_per_second: 200
          burst: 2000
      """;

  private static String faults(String text) {
    return String.valueOf(
        catchThrowableOfType(
                FaultyFileException.class, () -> LimitsReader.read("limits.yaml", text))
            .getMessage());
  }

  @Test
  void theSampleOfTheDocumentsIsAccepted() {
    LimitsDocument limits = LimitsReader.read("limits.yaml", SAMPLE);
    assertThat(limits.of("dst_9f31c").budget().ratePerSecond()).isEqualTo(25);
    assertThat(limits.of("dst_9f31c").budget().burst()).isEqualTo(50);
    assertThat(limits.of("dst_9f31c").maxAttempts()).isEqualTo(8);
    assertThat(limits.of("dst_04aa7").budget().ratePerSecond()).isEqualTo(200);
    assertThat(limits.of("dst_04aa7").budget().burst()).isEqualTo(2000);
    assertThat(limits.of("another")).isEqualTo(DestinationLimits.DEFAULT);
  }

  @Test
  void theDefaultsAreThoseOfTheDocuments() {
    DestinationLimits limits = LimitsDocument.DEFAULT.of("any");
    assertThat(limits.budget()).isEqualTo(new BudgetSettings(50, 200, 32, Duration.ofSeconds(15)));
    assertThat(limits.maxAttempts()).isEqualTo(8);
    assertThat(limits.ageLimit()).isEqualTo(Duration.ofDays(3));
    assertThat(limits.onUnknown()).isEqualTo(OnUnknown.RETRY);
  }

  @Test
  void everyKeyIsMapped() {
    LimitsDocument limits =
        LimitsReader.read(
            "limits.yaml",
            """
            destinations:
              d:
                rate_per_second: 0.1
                burst: 3
                slots: 4
                timeout: 2500ms
                max_attempts: 5
                age_limit: 6h
                on_unknown: shelf
            """);
    assertThat(limits.of("d"))
        .isEqualTo(
            new DestinationLimits(
                new BudgetSettings(0.1, 3, 4, Duration.ofMillis(2500)),
                5,
                Duration.ofHours(6),
                OnUnknown.SHELF));
  }

  @Test
  void anEmptyFileMeansTheDefaults() {
    assertThat(LimitsReader.read("limits.yaml", "")).isEqualTo(LimitsDocument.DEFAULT);
    assertThat(LimitsReader.read("limits.yaml", "defaults:\ndestinations:\n"))
        .isEqualTo(LimitsDocument.DEFAULT);
  }

  @Test
  void allFaultsAreToldAtOnceWithTheirPlaces() {
    String told =
        faults(
            """
            defaults:
              rate_per_sec: 50
              burst: 0
            destinations:
              dst_1:
                timeout: 15
                on_unknown: maybe
            """);
    assertThat(told)
        .isEqualTo(
            """
            limits.yaml:2:3: defaults.rate_per_sec: unknown key; did you mean rate_per_second?
            limits.yaml:3:10: defaults.burst: got 0, wanted 1 to 1,000,000 requests
            limits.yaml:6:14: destinations.dst_1.timeout: got 15, wanted 100ms to 1h, as a number with ms, s, m, h or d, for instance 15s
            limits.yaml:7:17: destinations.dst_1.on_unknown: got maybe, wanted retry or shelf\
            """);
  }

  @Test
  void aBrokenFileNamesLineAndColumn() {
    assertThat(faults("defaults:\n  burst: [1\n")).startsWith("limits.yaml:3:1: not YAML: ");
    assertThat(faults("a: 1\na: 2\n")).contains("limits.yaml:2:1").contains("line 1 already");
    assertThat(faults("- 1\n")).isEqualTo("limits.yaml:1:1: wanted keys and values");
    assertThat(faults("defaults: &a\n  burst: 1\ndestinations:\n  d: *a\n")).contains("anchors");
  }

  @Test
  void aHostileFileIsRefusedWithABoundedMessage() {
    assertThat(faults("defaults:\n  a: " + "[".repeat(100_000)))
        .isEqualTo("limits.yaml:2:36: more than 32 levels below each other");
    assertThat(faults("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n")).contains("anchors");
    assertThat(faults("defaults:\n  burst: " + "9".repeat(100_000)))
        .hasSizeLessThan(300)
        .contains("wanted 1 to 1,000,000 requests");
    assertThat(faults("\"de\\e[2Jfaults\": 1\n")).contains("de?[2Jfaults");
    StringBuilder many = new StringBuilder("destinations:\n");
    for (int i = 0; i < 5_000; i++) {
      many.append("  d").append(i).append(": {burst: 0}\n");
    }
    assertThat(faults(many.toString()).lines())
        .hasSize(101)
        .last()
        .isEqualTo("limits.yaml:1:1: and 4,900 more faults, not named here");
  }

  @Test
  void valuesThatDoNotGoTogetherAreRefusedAtTheirSection() {
    assertThat(faults("defaults:\n  retry:\n    base: 10m\n    max: 1m\n"))
        .startsWith("limits.yaml:3:5: defaults.retry: back-off wants base > 0")
        .contains("longest PT1M");
    assertThat(faults("retention:\n  dead_letters: 2d\n"))
        .contains("dead_letters is PT48H, wanted no less than finished");
    assertThat(faults("defaults:\n  quota:\n    per: day\n"))
        .contains("defaults.quota.limit: got nothing, wanted 1 to 1,000,000,000,000 requests");
  }

  @Test
  void anUnknownSectionNamesTheNearest() {
    assertThat(faults("destination:\n  d:\n    burst: 1\n"))
        .isEqualTo("limits.yaml:1:1: destination: unknown key; did you mean destinations?");
  }
}
