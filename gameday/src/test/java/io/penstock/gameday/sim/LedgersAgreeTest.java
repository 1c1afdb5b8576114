package io.penstock.gameday.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.postgres.ledger.SqlInspection;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.rows.DeliveryRow;
import java.util.stream.LongStream;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What simulated worlds asked of the ledger in memory, asked of the one on Postgres: every answer,
 * and every question to the rules, must be the same, and so must the rows be at the end.
 */
@PostgresTest
class LedgersAgreeTest {
  /** The answer of a read whose order means nothing. */
  private static final String UNORDERED = "unordered";

  /**
   * Numbers that each ledger counts in its own way: positions leave gaps, and only their order
   * matters; the sum of all changes is only compared with itself.
   */
  private static final RecursiveComparisonConfiguration ALIKE =
      RecursiveComparisonConfiguration.builder()
          .withIgnoredFieldsMatchingRegexes(".*\\.position", "position", ".*\\.acceptedAt")
          .withIgnoredCollectionOrderInFieldsMatchingRegexes(".*\\.(absent|skipped)", UNORDERED)
          .build();

  private final TestDatabase database;

  LedgersAgreeTest(TestDatabase database) {
    this.database = database;
  }

  /** Some, and the first two in which a destination is deleted. */
  static LongStream seeds() {
    return LongStream.concat(
        LongStream.of(3, 5, 8, 13, 21),
        LongStream.iterate(100, seed -> seed + 1)
            .filter(seed ->
                Plan.of(seed).acts().stream().anyMatch(timed -> timed.act() instanceof Act.Delete))
            .limit(2));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void both_ledgers_answer_a_simulated_world_alike(long seed) {
    Simulation.Recorded world = Simulation.record(seed);
    Plan plan = Plan.of(seed);
    TestingLedger other = TestingLedger.bare(database.settings(), plan.shards());
    int nth = 0;
    for (Recording.Call call : world.recording().calls()) {
      other.clock().set(call.now());
      Recording.Replayed replayed = Recording.replay(call, other.ledger());
      String what = "seed %d, call %d: %s".formatted(seed, ++nth, call.method().getName());
      alike(replayed.questions(), call.questions(), what + ": what the rules were asked");
      if (call.known() && !call.method().getName().equals("gatesVersion")) {
        Answer answer = Answer.of(call, replayed.answer());
        alike(answer, Answer.of(call, call.answer()), what + ": the answer");
      }
    }
    SqlInspection rows = new SqlInspection(other.pool());
    world
        .rows()
        .forEach((key, row) ->
            assertThat(rowOf(rows, key))
                .as("seed %d", seed)
                .usingRecursiveComparison(ALIKE)
                .isEqualTo(row));
  }

  /** Most are plainly equal, and only the rest is looked at field by field. */
  private static void alike(Object got, Object wanted, String what) {
    if (!got.equals(wanted)) {
      assertThat(got).as(what).usingRecursiveComparison(ALIKE).isEqualTo(wanted);
    }
  }

  private static DeliveryRow rowOf(SqlInspection rows, DeliveryKey key) {
    return rows.delivery(key).orElseThrow();
  }

  private record Answer(@Nullable Object value, @Nullable Object unordered) {
    static Answer of(Recording.Call call, @Nullable Object answer) {
      return call.method().getName().equals("destinations")
          ? new Answer(null, answer)
          : new Answer(answer, null);
    }
  }
}
