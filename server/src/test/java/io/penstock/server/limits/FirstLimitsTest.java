package io.penstock.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.config.Setting;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.yaml.FaultyFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@PostgresTest
class FirstLimitsTest {
  @Test
  void theFirstFileOfAnInstallationMustBeWellAndLaterOnesNeedNot(
      TestDatabase database, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("limits.yaml");
    var named = Map.of(Setting.LIMITS_FILE, file.toString());
    Files.writeString(file, "defaults: {burst: 0}\n");
    assertThatThrownBy(() -> TestingApi.start(database, folder, LimitsDocument.DEFAULT, named))
        .isInstanceOf(FaultyFileException.class)
        .hasMessageContaining("defaults.burst: got 0");
    Files.writeString(file, "defaults: {burst: 7}\n");
    try (TestingApi api = TestingApi.start(database, folder, LimitsDocument.DEFAULT, named)) {
      assertThat(api.get("/v1/limits").json().at("/in_force/content").asString(""))
          .isEqualTo("defaults: {burst: 7}\n");
      Files.writeString(file, "defaults: {burst: no}\n");
      try (TestingApi again = TestingApi.beside(api, database, folder.resolve("again"), named)) {
        assertThat(again.get("/readyz?verbose").json().at("/checks/limits").asString(""))
            .contains("refused: ")
            .contains("defaults.burst: got no");
        assertThat(again.get("/v1/limits/effective/d").json().at("/limits/burst").asString(""))
            .isEqualTo("7");
      }
    }
  }
}
