package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.rows.DeliveryRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A row that moves between the pick of a claim and its update. Another transaction holds the row's
 * lock, so that the claim has picked it and waits at it; then the row moves, and the claim goes on.
 * Who moves a waiting row without its budget's lock is, in the product, only what takes it out of
 * the table (expiry, shelving). ADR 051 tells what of this each version of Postgres shows.
 */
@PostgresTest
@Timeout(60)
class MovedRowsTest {
  private static final String LEASES_IT =
      """
      update penstock.delivery
      set state = 'leased', lease_no = lease_no + 1, leased_by = 'other', lease_until = not_before
      """;
  private static final String HANDS_IT_BACK =
      "update penstock.delivery set state = 'pending', leased_by = null, lease_until = null";
  private static final String TAKES_IT_OUT = "delete from penstock.delivery";

  private final TestDatabase database;
  private final TestingLedger world;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Destination destination;
  private List<DeliveryKey> keys;
  private Connection other;

  MovedRowsTest(TestDatabase database) {
    this.database = database;
    this.world = TestingLedger.empty(database.settings(), 1);
  }

  @BeforeEach
  void threeWait() throws SQLException {
    destination = world.destination("dst_a");
    keys = List.of(deliver(), deliver(), deliver());
    other = database.dataSource().getConnection();
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    threads.close();
  }

  private DeliveryKey deliver() {
    return world.deliver(destination);
  }

  /** The second of three moves while a claim that has picked all three waits for its lock. */
  private Claim claimWhileTheSecond(PlantedSql planted, String... moves) throws Exception {
    ofTheSecond("select from penstock.delivery", " for update");
    PostgresLedger ledger = planted.ledger(world.pool());
    Future<Claim> claim =
        threads.submit(() ->
            ledger.claim(
                new ClaimRequest(0, List.of(destination.id()), "node-2", 9, 1 << 20),
                new OpenRules(9, Duration.ofSeconds(20))));
    untilSomebodyWaits();
    for (String move : moves) {
      ofTheSecond(move, "");
    }
    other.commit();
    return claim.get();
  }

  private void ofTheSecond(String sql, String end) throws SQLException {
    try (PreparedStatement statement =
        other.prepareStatement(sql + " where shard = 0 and event_id = ?" + end)) {
      statement.setObject(1, keys.get(1).eventId());
      statement.execute();
    }
  }

  private void untilSomebodyWaits() throws SQLException {
    try (Connection looking = database.dataSource().getConnection();
        Statement statement = looking.createStatement()) {
      boolean waits = false;
      while (!waits) {
        try (ResultSet row =
            statement.executeQuery(
                """
                select exists (
                  select from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock')
                """)) {
          row.next();
          waits = row.getBoolean(1);
        }
      }
    }
  }

  private static List<DeliveryKey> leased(Claim claim) {
    return claim.leased().stream().map(Leased::key).toList();
  }

  private DeliveryRow row(int nth) {
    return new SqlInspection(world.pool()).delivery(keys.get(nth)).orElseThrow();
  }

  private List<DeliveryKey> firstAndThird() {
    return List.of(keys.get(0), keys.get(2));
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "BY_KEY"})
  void what_somebody_else_has_leased_meanwhile_is_not_leased(PlantedSql planted) throws Exception {
    Claim claim = claimWhileTheSecond(planted, LEASES_IT);
    assertThat(leased(claim)).isEqualTo(firstAndThird());
    assertThat(claim.picked()).as("what the pick saw").containsEntry(destination.id(), 3);
    assertThat(row(1).leasedBy()).isEqualTo("other");
    assertThat(row(1).leaseNo()).isEqualTo(1);
  }

  /** Then the claim takes a lease away from somebody whose lease runs. */
  @Test
  void without_the_recheck_a_row_found_by_key_is_leased_a_second_time() throws Exception {
    Claim claim = claimWhileTheSecond(PlantedSql.BY_KEY_NO_RECHECK, LEASES_IT);
    assertThat(leased(claim)).isEqualTo(keys);
    assertThat(row(1).leasedBy()).isEqualTo("node-2");
    assertThat(row(1).leaseNo()).isEqualTo(2);
  }

  /**
   * A newer Postgres asks once more whether a row that moved still lies at the place; an older one
   * forgets to, and there the re-check alone stands between two owners.
   */
  @Test
  void without_the_recheck_a_row_found_by_place_is_safe_only_where_postgres_asks_for_its_place()
      throws Exception {
    Claim claim = claimWhileTheSecond(PlantedSql.NO_RECHECK, LEASES_IT);
    if (asksForThePlace()) {
      assertThat(leased(claim)).isEqualTo(firstAndThird());
      assertThat(row(1).leasedBy()).isEqualTo("other");
    } else {
      assertThat(leased(claim)).isEqualTo(keys);
      assertThat(row(1).leaseNo()).isEqualTo(2);
    }
  }

  /** Seen in 15.18 and 18.6, and missing in 15.14; released for all versions in one autumn. */
  private boolean asksForThePlace() throws SQLException {
    int major = other.getMetaData().getDatabaseMajorVersion();
    int minor = other.getMetaData().getDatabaseMinorVersion();
    return switch (major) {
      case 15 -> minor >= 15;
      case 16 -> minor >= 11;
      case 17 -> minor >= 7;
      default -> true;
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "NO_RECHECK", "BY_KEY", "BY_KEY_NO_RECHECK"})
  void what_left_the_table_meanwhile_is_not_leased(PlantedSql planted) throws Exception {
    Claim claim = claimWhileTheSecond(planted, TAKES_IT_OUT);
    assertThat(leased(claim)).isEqualTo(firstAndThird());
    assertThat(new SqlInspection(world.pool()).delivery(keys.get(1))).isEmpty();
  }

  /** As a redrive does it: the same key lies at another place, and is the next claim's. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "NO_RECHECK", "BY_KEY", "BY_KEY_NO_RECHECK"})
  void what_left_the_table_and_came_back_waits_for_the_next_claim(PlantedSql planted)
      throws Exception {
    ofTheSecond("create temporary table kept as select * from penstock.delivery", "");
    other.commit();
    Claim claim =
        claimWhileTheSecond(
            planted, TAKES_IT_OUT, "insert into penstock.delivery select * from kept");
    assertThat(leased(claim)).isEqualTo(firstAndThird());
    assertThat(row(1).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(world.claim(destination, 9)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "NO_RECHECK", "BY_KEY", "BY_KEY_NO_RECHECK"})
  void what_was_leased_and_handed_back_meanwhile_keeps_its_fence(PlantedSql planted)
      throws Exception {
    Claim claim = claimWhileTheSecond(planted, LEASES_IT, HANDS_IT_BACK);
    boolean byKey = planted.name().startsWith("BY_KEY");
    boolean took = leased(claim).contains(keys.get(1));
    assertThat(took).as("it waits again, at another place").isEqualTo(byKey || !asksForThePlace());
    assertThat(row(1).leaseNo()).isEqualTo(took ? 2 : 1);
    assertThat(row(1).state()).isEqualTo(took ? DeliveryState.LEASED : DeliveryState.PENDING);
  }

  @Test
  void who_gives_a_lock_back_without_a_move_leaves_the_row_to_the_claim() throws Exception {
    assertThat(leased(claimWhileTheSecond(PlantedSql.NONE))).isEqualTo(keys);
  }

  /** Why the re-check has nothing to do in the product: the claimers of one budget pass by. */
  @Test
  void while_a_claim_waits_at_a_row_no_other_claim_reads_its_destination() throws Exception {
    ofTheSecond("select from penstock.delivery", " for update");
    Future<List<Leased>> first = threads.submit(() -> world.claim(destination, 9));
    untilSomebodyWaits();
    Claim second =
        world
            .ledger()
            .claim(
                new ClaimRequest(0, List.of(destination.id()), "node-2", 9, 1 << 20),
                new OpenRules(9, Duration.ofSeconds(20)));
    assertThat(second.skipped()).containsExactly(destination.id());
    assertThat(second.leased()).isEmpty();
    other.rollback();
    assertThat(first.get()).hasSize(3);
  }
}
