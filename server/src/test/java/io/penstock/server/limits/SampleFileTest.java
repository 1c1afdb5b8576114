package io.penstock.server.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.LimitsDocument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The file that is shipped is the file that is tested. */
class SampleFileTest {
  static String text() throws IOException {
    try (InputStream in = requireNonNull(LimitsReader.class.getResourceAsStream("limits.yaml"))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void theShippedFileStatesTheDefaults() throws IOException {
    LimitsDocument limits = LimitsReader.read("limits.yaml", text());
    assertThat(limits.defaults()).isEqualTo(DestinationLimits.DEFAULT);
    assertThat(limits.tenantDefaults()).isEqualTo(LimitsDocument.DEFAULT.tenantDefaults());
    assertThat(limits.retention()).isEqualTo(LimitsDocument.DEFAULT.retention());
    assertThat(limits.alerts()).isEqualTo(LimitsDocument.DEFAULT.alerts());
    assertThat(requireNonNull(limits.of("dst_77be0").budget().quota()).limit()).isEqualTo(100_000);
    assertThat(limits.ofTenant("acme").deadLetters()).isEqualTo(Duration.ofDays(60));
    assertThat(requireNonNull(limits.pools().get("general")).serves("any")).isTrue();
  }

  @Test
  void theDocumentOnLimitsNamesEveryKeyOfTheShippedFile() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "limits.md"));
    text()
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("[a-z_]+:.*"))
        .map(line -> line.substring(0, line.indexOf(':')))
        .filter(key -> !key.equals("acme") && !key.equals("general") && !key.startsWith("dst_"))
        .forEach(key -> assertThat(document).contains("`" + key + "`"));
  }
}
