package io.penstock.postgres.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.limits.LimitsStore.Publication;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.rollup.RollupStore;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@PostgresTest
class LimitsStoreTest {
  private static final Audit BY = new Audit("key:ps_1", "a test");

  private final TestingLedger world;
  private final Pool pool;
  private final LimitsStore store;

  LimitsStoreTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
    pool = world.pool();
    store = new LimitsStore(pool);
  }

  private static NewLimits limits(String content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
      return new NewLimits(content, hash, "ann", "bob", "1f3c", "because", "api");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Difference changes(String text) {
    return new Difference(text, Set.of(), Set.of(), true);
  }

  private String tenantOfLine(Difference difference) {
    Publication made =
        store.publish(limits(difference.toString()), BY, null, _ -> true, _ -> difference);
    long no = ((Publication.Applied) made).version().versionNo();
    return String.valueOf(
        new AuditReads(pool)
            .page(AuditReads.Filter.ALL, null, 1).items().stream()
                .filter(line -> line.subject().equals(Long.toString(no)))
                .findFirst()
                .orElseThrow()
                .tenantId());
  }

  @Test
  void aVersionThatConcernsOneTenantIsToldInTheAuditAsThatTenants() {
    world.destination("dst_a");
    world.ledger().createTenant("beta", "Beta", BY);
    assertThat(tenantOfLine(new Difference("1", Set.of("dst_a"), Set.of(), false)))
        .isEqualTo("acme");
    assertThat(tenantOfLine(new Difference("2", Set.of("dst_a"), Set.of("acme"), false)))
        .isEqualTo("acme");
    assertThat(tenantOfLine(new Difference("3", Set.of("no_such"), Set.of("beta"), false)))
        .isEqualTo("beta");
    assertThat(tenantOfLine(new Difference("4", Set.of("dst_a"), Set.of("beta"), false)))
        .isEqualTo("null");
    assertThat(tenantOfLine(new Difference("5", Set.of("dst_a"), Set.of(), true)))
        .isEqualTo("null");
    assertThat(tenantOfLine(new Difference("6", Set.of("no_such"), Set.of(), false)))
        .isEqualTo("null");
  }

  private Publication publish(String content) {
    return store.publish(limits(content), BY, null, _ -> true, _ -> changes("diff of " + content));
  }

  private long applied(String content) {
    return ((Publication.Applied) publish(content)).version().versionNo();
  }

  @Test
  void theNewestAppliedVersionIsInForceAndTheSameTextMakesNone() {
    long first = applied("one");
    long second = applied("two");
    assertThat(second).isGreaterThan(first);
    assertThat(publish("two")).isInstanceOf(Publication.Same.class);
    long back = applied("one");
    assertThat(back).as("a rollback is a new version").isGreaterThan(second);
    assertThat(store.inForceNo()).isEqualTo(back);
    assertThat(store.find(second))
        .hasValueSatisfying(version -> {
          assertThat(version.content()).isEqualTo("two");
          assertThat(version.author()).isEqualTo("ann");
          assertThat(version.commit()).isEqualTo("1f3c");
          assertThat(version.diff()).isEqualTo("diff of two");
        });
  }

  @Test
  void aRefusedFileIsKeptOnceAndIsNeverInForce() {
    long good = applied("good");
    store.refused(limits("bad"), BY, "host:/limits.yaml", "line 1: no");
    store.refused(limits("bad"), BY, "host:/limits.yaml", "line 1: no");
    assertThat(store.inForceNo()).isEqualTo(good);
    List<LimitsVersion> history = store.before(Long.MAX_VALUE, 10);
    assertThat(history.getFirst().applied()).isFalse();
    assertThat(history.getFirst().diff()).isEqualTo("line 1: no");
    assertThat(history.stream().filter(version -> !version.applied())).hasSize(1);
    assertThat(store.lastSeen("host:/limits.yaml")).isPresent();
  }

  @Test
  void whatIsOutdatedUnderTheLockChangesNothing() {
    long before = applied("current");
    assertThat(store.publish(limits("late"), BY, "p", no -> no != before, _ -> changes("")))
        .isEqualTo(new Publication.Outdated(before));
    assertThat(store.inForceNo()).isEqualTo(before);
    assertThat(store.lastSeen("p")).isEmpty();
  }

  @Test
  void publishersAtOnceComeOneAfterTheOther() throws Exception {
    try (ExecutorService many = Executors.newFixedThreadPool(4)) {
      List<Future<Publication>> all =
          IntStream.range(0, 12).mapToObj(i -> many.submit(() -> publish("at once " + i))).toList();
      for (Future<Publication> one : all) {
        assertThat(one.get()).isInstanceOf(Publication.Applied.class);
      }
    }
    List<LimitsVersion> history = store.before(Long.MAX_VALUE, 12);
    assertThat(history.getFirst().versionNo()).isEqualTo(store.inForceNo());
    assertThat(history).extracting(LimitsVersion::at).isSortedAccordingTo((a, b) -> b.compareTo(a));
  }

  @Test
  void arrivalsAreReadByMinuteFromTheRollups() {
    Instant minute =
        pool.read(Pool.Use.CALLER, pool::now).minusSeconds(600).truncatedTo(ChronoUnit.MINUTES);
    new RollupStore(pool)
        .add(
            List.of(
                new Rollup("few", minute, 3, 0, Map.of(), null, null, null),
                new Rollup("many", minute, 30, 0, Map.of(), null, null, null),
                new Rollup("many", minute.plusSeconds(60), 7, 0, Map.of(), null, null, null)));
    Arrivals arrivals = new Arrivals(pool);
    assertThat(arrivals.busiest(Duration.ofHours(1), 10)).containsExactly("many", "few");
    assertThat(arrivals.of(List.of("many", "none"), Duration.ofHours(1)).byDestination())
        .isEqualTo(
            Map.of(
                "many",
                List.of(
                    new Arrivals.Minute(minute, 30),
                    new Arrivals.Minute(minute.plusSeconds(60), 7))));
  }
}
