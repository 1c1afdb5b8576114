package io.penstock.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PidFileTest {
  @Test
  void a_file_that_is_still_being_written_is_not_ready() {
    assertThat(PidFile.parse(List.of())).isEmpty();
    assertThat(PidFile.parse(List.of("12"))).contains(new PidFile(12, 0, ""));
    assertThat(PidFile.parse(List.of("12", "/data", "1", "5432")).orElseThrow().ready()).isFalse();
  }

  @Test
  void the_port_and_the_status_are_the_fourth_and_the_eighth_line() {
    List<String> lines =
        List.of("12", "/data", "1796047962", "5432", "", "127.0.0.1", " 2148650  4", "ready   ");
    assertThat(PidFile.parse(lines)).contains(new PidFile(12, 5432, "ready"));
  }

  @Test
  void nonsense_is_no_pid_file() {
    assertThat(PidFile.parse(List.of("-12"))).isEmpty();
    assertThat(PidFile.parse(List.of("0"))).isEmpty();
    assertThat(PidFile.parse(List.of("abc"))).isEmpty();
  }
}
