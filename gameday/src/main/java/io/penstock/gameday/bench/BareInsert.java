package io.penstock.gameday.bench;

import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** One row of 1 KB and its commit, at a steady rate: what this machine's disk asks for. */
final class BareInsert {
  private static final int BYTES = 1024;

  private BareInsert() {}

  /** Adds the times, each from its intended start, to the histogram of microseconds. */
  static void run(Ledger ledger, int perSecond, Duration howLong, Histogram micros)
      throws SQLException, InterruptedException {
    ledger.execute("create table if not exists bare_insert (n bigint primary key, body bytea)");
    ledger.execute("truncate bare_insert");
    try (Connection connection = ledger.connect();
        PreparedStatement insert =
            connection.prepareStatement("insert into bare_insert (n, body) values (?, ?)")) {
      insert.setBytes(2, new byte[BYTES]);
      long count = perSecond * howLong.toSeconds();
      long start = Stand.nanos();
      for (long n = 0; n < count; n++) {
        long intended = start + n * 1_000_000_000L / perSecond;
        Stand.passTime(Duration.ofNanos(Math.max(0, intended - Stand.nanos())));
        insert.setLong(1, n);
        insert.executeUpdate();
        micros.recordValue((Stand.nanos() - intended) / 1_000);
      }
    }
    ledger.execute("drop table bare_insert");
  }
}
