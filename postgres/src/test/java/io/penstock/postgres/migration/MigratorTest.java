package io.penstock.postgres.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** The schema's way from nothing to now. */
@PostgresTest
class MigratorTest {
  private final DatabaseSettings settings;

  MigratorTest(TestDatabase database) {
    settings = database.settings();
  }

  @Test
  void an_empty_database_is_brought_up_once_and_keeps_its_shards() {
    try (Handle handle =
        Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      handle.execute("drop schema penstock cascade");
    }
    Migrator migrator = new Migrator(settings);
    assertThat(migrator.pending()).isNotEmpty();
    assertThat(migrator.migrate(4)).isNotEmpty();
    assertThat(migrator.pending()).isEmpty();
    assertThat(migrator.status().unknown()).isEmpty();
    assertThat(migrator.migrate(1)).isEmpty();
    try (Pool pool = Pool.open(settings)) {
      assertThat(pool.shards()).isEqualTo(4);
    }
  }

  @Test
  void a_schema_of_a_later_program_is_known_as_such() {
    try (Handle handle =
        Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      handle.execute(
          """
          insert into penstock.schema_history (installed_rank, version, description, type, script,
            checksum, installed_by, execution_time, success)
          values (9999, '20991231000000', 'later', 'SQL', 'V20991231000000__later.sql', 0, 'x', 0,
            true)
          """);
      assertThat(new Migrator(settings).status().unknown()).containsExactly("20991231000000 later");
      handle.execute("delete from penstock.schema_history where installed_rank = 9999");
    }
  }
}
