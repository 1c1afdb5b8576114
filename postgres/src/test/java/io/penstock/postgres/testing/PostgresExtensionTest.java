package io.penstock.postgres.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@PostgresTest
class PostgresExtensionTest {
  private final TestDatabase database;

  PostgresExtensionTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void the_database_is_in_an_odd_time_zone() throws SQLException {
    assertThat(query("show timezone")).isEqualTo("Pacific/Chatham");
  }

  @Test
  void all_tests_of_a_class_share_one_database(TestDatabase again) throws SQLException {
    assertThat(again).isEqualTo(database);
    assertThat(query("select current_database()")).isEqualTo(database.name());
  }

  @Nested
  class Within {
    @Test
    void nested_classes_too(TestDatabase again) {
      assertThat(again).isEqualTo(database);
    }
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
