package io.penstock.gameday.bench;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the stored budgets over and over, for rates and parks as they were. For one thread. */
final class BudgetWatch implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Connection connection;
  private final PreparedStatement statement;
  private final BudgetSettings settings;
  private final Map<String, List<Seen>> seen = new LinkedHashMap<>();

  /** A budget at a time of this machine's monotonic clock. */
  record Seen(long nanos, double rate, boolean parked) {}

  BudgetWatch(Ledger ledger, BudgetSettings settings) throws SQLException {
    this.connection = ledger.connect();
    this.settings = settings;
    this.statement = connection.prepareStatement("select budget_id, state from penstock.budget");
  }

  /** Watches for so long. */
  void watch(Duration howLong) throws SQLException, InterruptedException {
    long until = Stand.nanos() + howLong.toNanos();
    while (Stand.nanos() < until) {
      long now = Stand.nanos();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          BudgetState state = BudgetState.decode(rows.getString(2));
          seen.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>())
              .add(new Seen(now, state.ratePerSecond(settings), state.parked()));
        }
      }
      Stand.passTime(LOOK);
    }
  }

  /** What was seen of one budget. */
  List<Seen> of(String budgetId) {
    return seen.getOrDefault(budgetId, List.of());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
