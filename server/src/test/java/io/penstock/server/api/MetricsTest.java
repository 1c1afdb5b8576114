package io.penstock.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.config.Setting;
import io.penstock.server.testing.TestingApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
  private final TestingApi api;

  MetricsTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private String scrape(String accept) {
    var answered = api.call("GET", "/metrics", api.adminKey(), null, Map.of("Accept", accept));
    assertThat(answered.status()).isEqualTo(200);
    return new String(answered.response().body(), UTF_8);
  }

  @Test
  void theSignalsOfTheFirstDayAreThere() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    api.post("/v1/events", "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1}");
    String text = scrape("text/plain");
    for (String name :
        List.of(
            "penstock_oldest_ready_age_seconds",
            "penstock_ledger_oldest_snapshot_seconds",
            "penstock_ready{lane=\"first\"}",
            "penstock_ready{lane=\"retry\"}",
            "penstock_ready{lane=\"redrive\"}",
            "penstock_events_total{result=\"stored\"} 1",
            "penstock_sent_total",
            "penstock_in_flight",
            "penstock_claim_duration_seconds_bucket",
            "penstock_settle_duration_seconds_bucket",
            "penstock_claim_skipped_total",
            "penstock_claim_asked_total",
            "penstock_http_requests_total{method=\"POST\",path=\"/v1/events\",status=\"202\"} 1",
            "jvm_memory_used_bytes")) {
      assertThat(text).contains(name);
    }
  }

  @Test
  void openMetricsIsSpokenToWhomAsksForIt() {
    assertThat(scrape("application/openmetrics-text; version=1.0.0")).endsWith("# EOF\n");
  }

  @Test
  void namesAreNobodysBusinessWithoutAKey(TestDatabase database, @TempDir Path folder) {
    assertThat(api.call("GET", "/metrics", "none", null, Map.of()).status()).isEqualTo(401);
    assertThat(Setting.METRICS_ACCESS.fallback()).isEqualTo("key");
  }

  @Test
  @DisplayName("case 43: what a scrape reads is in memory; it has no way to the database")
  void aScrapeNeverAsksTheDatabase() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("io.penstock.server.metrics")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "javax.sql..",
            "org.jdbi..",
            "io.penstock.postgres",
            "io.penstock.postgres.ledger..",
            "io.penstock.postgres.read..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.penstock.postgres.depth.DepthSampler")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.penstock.server"));
  }
}
