package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.tube.TubeSettings;
import io.penstock.push.guard.EgressPolicy;
import io.penstock.server.event.Bounds;
import io.penstock.server.http.HttpSettings;
import io.penstock.server.yaml.FaultyFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  @TempDir Path folder = Path.of(".");

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("penstock.yaml"), text);
  }

  private static Settings environment(Map<String, String> environment) {
    return Settings.resolve(Map.of(), environment, Optional.empty());
  }

  @Test
  void flagGoesBeforeEnvironmentBeforeFileBeforeDefault() throws IOException {
    Optional<Path> file = Optional.of(file("listen: 127.0.0.1:1\nnode:\n  slots: 7\n"));
    Map<String, String> environment =
        Map.of("PENSTOCK_LISTEN", "127.0.0.1:2", "PENSTOCK_NODE_GRACE", "3s");
    Settings settings = Settings.resolve(Map.of(Setting.LISTEN, "127.0.0.1:3"), environment, file);
    assertThat(settings.get(Setting.LISTEN)).isEqualTo(new Settings.Value("127.0.0.1:3", "flag"));
    assertThat(settings.get(Setting.NODE_GRACE))
        .isEqualTo(new Settings.Value("3s", "environment PENSTOCK_NODE_GRACE"));
    assertThat(settings.get(Setting.NODE_SLOTS).text()).isEqualTo("7");
    assertThat(settings.get(Setting.NODE_SLOTS).source()).endsWith("penstock.yaml:3:3");
    assertThat(settings.get(Setting.BOUNDS_BATCH_ITEMS))
        .isEqualTo(new Settings.Value("1000", "default"));
  }

  @Test
  void theDefaultsAreThoseOfTheDocuments() {
    ServerConfig config =
        ServerConfig.from(environment(Map.of("DATABASE_URL", "postgres://me@db/penstock")));
    assertThat(config.http())
        .isEqualTo(new HttpSettings("127.0.0.1", 8420, HttpSettings.DEFAULT_IN_FLIGHT_BYTES));
    assertThat(config.bounds()).isEqualTo(Bounds.DEFAULT);
    assertThat(config.egress()).isEqualTo(EgressPolicy.STRICT);
    assertThat(config.slots()).isEqualTo(512);
    assertThat(config.tubes()).isEqualTo(TubeSettings.DEFAULT);
    assertThat(config.grace()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.openMetrics()).isFalse();
    assertThat(config.notices()).isNull();
    assertThat(config.limitsFileWanted()).isFalse();
    assertThat(config.secretsDir()).isEqualTo(config.dataDir().resolve("secrets"));
    assertThat(Objects.requireNonNull(config.database()).connections()).isEqualTo(10);
    assertThat(config.maintenance()).isNull();
  }

  @Test
  void everySettingIsMapped() throws IOException {
    Path file =
        file(
            """
            listen: "[::1]:9"
            database:
              url: postgres://u:p%40ss@db:1/x?sslmode=require
              direct_url: jdbc:postgresql://direct/x
              maintenance_url: postgres://owner:pw@db:1/x
              connections: 3
              pooler: true
            embedded: false
            data_dir: /d
            limits_file: /l.yaml
            secrets_dir: /s
            egress:
              allow: [10.0.0.0/8, inner.example]
              ports: [443]
            node:
              slots: 5
              grace: 6s
            jobs:
              lease: 6s
              test_faster: 60
            http:
              in_flight_bytes: 2MiB
            bounds:
              body_bytes: 2KiB
              batch_items: 8
              batch_bytes: 9KiB
              header_bytes: 1KiB
            metrics:
              access: open
            notices:
              url: https://ops.example/hook
              secret: env:NOTICES_KEY
              window: 30s
            """);
    ServerConfig config =
        ServerConfig.from(Settings.resolve(Map.of(), Map.of(), Optional.of(file)));
    assertThat(config.http()).isEqualTo(new HttpSettings("::1", 9, 2 << 20));
    var database = Objects.requireNonNull(config.database());
    assertThat(database.url()).isEqualTo("jdbc:postgresql://db:1/x?sslmode=require");
    assertThat(database.directUrl()).isEqualTo("jdbc:postgresql://direct/x");
    assertThat(database.user()).isEqualTo("u");
    assertThat(database.password()).isEqualTo("p@ss");
    assertThat(database.connections()).isEqualTo(3);
    assertThat(database.pooled()).isTrue();
    var maintenance = Objects.requireNonNull(config.maintenance());
    assertThat(maintenance.user()).isEqualTo("owner");
    assertThat(maintenance.directUrl()).isEqualTo("jdbc:postgresql://db:1/x");
    assertThat(config.dataDir()).isEqualTo(Path.of("/d"));
    assertThat(config.limitsFile()).isEqualTo(Path.of("/l.yaml"));
    assertThat(config.limitsFileWanted()).isTrue();
    assertThat(config.secretsDir()).isEqualTo(Path.of("/s"));
    assertThat(config.egress())
        .isEqualTo(EgressPolicy.of(List.of("10.0.0.0/8", "inner.example"), List.of("443")));
    assertThat(config.slots()).isEqualTo(5);
    assertThat(config.tubes()).isEqualTo(new TubeSettings(Duration.ofMillis(100), 60));
    assertThat(config.notices())
        .isEqualTo(
            new NoticeSettings(
                "https://ops.example/hook", "env:NOTICES_KEY", Duration.ofSeconds(30)));
    assertThat(config.grace()).isEqualTo(Duration.ofSeconds(6));
    assertThat(config.bounds()).isEqualTo(new Bounds(2 << 10, 8, 9 << 10, 1 << 10));
    assertThat(config.openMetrics()).isTrue();
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestKnownOne() throws IOException {
    Path file = file("database:\n  urll: x\nlissten: 1\n");
    assertThatExceptionOfType(FaultyFileException.class)
        .isThrownBy(() -> Settings.resolve(Map.of(), Map.of(), Optional.of(file)))
        .withMessageContaining(
            "penstock.yaml:2:3: database.urll: unknown key; did you mean database.url?")
        .withMessageContaining("penstock.yaml:3:1: lissten: unknown key; did you mean listen?");
  }

  @Test
  void aSecretMayComeFromAFile() throws IOException {
    Path secret = Files.writeString(folder.resolve("url"), "postgres://me:secret@db/x\n");
    Settings settings = environment(Map.of("PENSTOCK_DATABASE_URL_FILE", secret.toString()));
    assertThat(settings.get(Setting.DATABASE_URL).text()).isEqualTo("postgres://me:secret@db/x");
    assertThat(settings.shown(Setting.DATABASE_URL)).isEqualTo("postgres://***@db/x");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() ->
            environment(Map.of("DATABASE_URL", "postgres://a/b", "DATABASE_URL_FILE", "/nowhere")))
        .withMessageContaining("DATABASE_URL and DATABASE_URL_FILE");
  }

  @Test
  void secretsAreMaskedInEveryForm() {
    assertThat(DatabaseUrl.masked("jdbc:postgresql://db/x?user=a&password=b&ssl=true"))
        .isEqualTo("jdbc:postgresql://db/x?user=***&password=***&ssl=true");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> DatabaseUrl.parse("mysql://a:secret@b/c"))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> DatabaseUrl.parse("postgres://a:sec ret@b/c"))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sec ret"));
  }

  @Test
  void aServerWithoutADatabaseSaysWhatToDo() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ServerConfig.from(environment(Map.of())))
        .withMessageContaining("PENSTOCK_DATABASE_URL")
        .withMessageContaining("--embedded");
  }

  @Test
  void aValueOutOfRangeNamesSettingSourceAndRange() {
    Settings settings =
        environment(Map.of("DATABASE_URL", "postgres://a/b", "PENSTOCK_NODE_SLOTS", "0"));
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ServerConfig.from(settings))
        .withMessage(
            "node.slots: wanted 1 to 100,000, got 0 (from environment PENSTOCK_NODE_SLOTS)");
  }

  @Test
  void noticesWantAUrlAndAReferenceAndNeverShowASecret() {
    Map<String, String> base = Map.of("DATABASE_URL", "postgres://me@db/penstock");
    for (Map<String, String> wrong :
        List.of(
            Map.of("PENSTOCK_NOTICES_URL", "https://ops.example/"),
            Map.of("PENSTOCK_NOTICES_SECRET", "env:KEY"),
            Map.of("PENSTOCK_NOTICES_URL", "ftp://x/", "PENSTOCK_NOTICES_SECRET", "env:KEY"),
            Map.of(
                "PENSTOCK_NOTICES_URL", "https://x/", "PENSTOCK_NOTICES_SECRET", "whsec_secret"))) {
      Map<String, String> all = new HashMap<>(base);
      all.putAll(wrong);
      assertThatThrownBy(() -> ServerConfig.from(environment(all)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("notices.")
          .hasMessageNotContaining("whsec_secret");
    }
  }
}
