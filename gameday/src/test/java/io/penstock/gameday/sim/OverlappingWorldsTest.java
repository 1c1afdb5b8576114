package io.penstock.gameday.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.ledger.PlantedSql;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Worlds in which real nodes overlap in real time on a real Postgres, and faults planted in its
 * SQL, each found within a few of them (the contract suite finds a settle without lease numbers
 * sooner). How many worlds the long test runs is the system property {@code penstock.worlds}, from
 * the seed {@code penstock.world} on.
 */
@PostgresTest
@Timeout(600)
class OverlappingWorldsTest {
  /** Within so many worlds a planted fault must be found. */
  private static final int WORLDS_PER_FAULT = 10;

  private static final int MOST_LINES = 60;

  private final TestDatabase database;

  OverlappingWorldsTest(TestDatabase database) {
    this.database = database;
  }

  private @Nullable BrokenPromise run(long seed, PlantedSql planted) throws InterruptedException {
    int shards = seed % 4 == 0 ? 2 : 1;
    TestingLedger.bare(database.settings(), shards); // empties it
    try (OverlappingWorld world =
        new OverlappingWorld(seed, database.settings(), shards, planted)) {
      BrokenPromise broken = world.run();
      OverlapAudit audit = world.audit();
      if (broken != null) {
        System.out.printf("world %d with %s: %s%n", seed, planted, broken.getMessage());
        audit.story(MOST_LINES).forEach(line -> System.out.println("  " + line));
      } else {
        System.out.printf(
            "world %d with %s: all kept, %d deliveries, %d claims brought some, %d budgets were"
                + " passed by%n",
            seed, planted, audit.promised().size(), audit.claims(), audit.overlaps());
      }
      return broken;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nodes_that_overlap_keep_every_promise(long seed) throws InterruptedException {
    assertThat(run(seed, PlantedSql.NONE)).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_BUDGET_LOCK", "NO_BUDGET_LOCK_NO_RECHECK"})
  void a_fault_planted_in_the_sql_is_found(PlantedSql planted) throws InterruptedException {
    BrokenPromise broken = null;
    for (long seed = 1; seed <= WORLDS_PER_FAULT && broken == null; seed++) {
      broken = run(seed, planted);
    }
    assertThat(broken).as("what broke in %d worlds", WORLDS_PER_FAULT).isNotNull();
  }

  @Test
  @Tag("long")
  @Timeout(86_400)
  void many_more_of_them_keep_every_promise() throws InterruptedException {
    long first = Long.getLong("penstock.world", 1_000);
    long count = Long.getLong("penstock.worlds", 200);
    PlantedSql planted = PlantedSql.valueOf(System.getProperty("penstock.planted", "NONE"));
    for (long seed = first; seed < first + count; seed++) {
      assertThat(run(seed, planted)).as("world %d", seed).isNull();
    }
  }
}
