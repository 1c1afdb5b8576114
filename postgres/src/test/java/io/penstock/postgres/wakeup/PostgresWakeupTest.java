package io.penstock.postgres.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.SystemAccess;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hints between two nodes. */
@PostgresTest
@Timeout(60)
@SystemAccess("the debounce runs on the system's nano clock")
class PostgresWakeupTest {
  private final DatabaseSettings settings;
  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> heardByItself = new LinkedBlockingQueue<>();
  private PostgresWakeup here;
  private PostgresWakeup there;

  PostgresWakeupTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void twoNodes() throws InterruptedException {
    here = new PostgresWakeup(settings, System::nanoTime, new Random(1));
    there = new PostgresWakeup(settings, System::nanoTime, new Random(2));
    here.listen(new Ear(heardByItself));
    there.listen(new Ear(heard));
    // LISTEN happens in the background: knock until it is heard.
    do {
      here.gatesChanged();
    } while (heard.poll(50, TimeUnit.MILLISECONDS) == null);
    while (heard.poll(200, TimeUnit.MILLISECONDS) != null) {
      // the rest of the knocks
    }
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  /** Writes down what it hears. */
  private record Ear(LinkedBlockingQueue<String> notes) implements Wakeup.Listener {
    @Override
    public void due(int shard, Collection<String> destinationIds) {
      notes.add("due " + shard + " " + String.join(",", destinationIds));
    }

    @Override
    public void gatesChanged() {
      notes.add("gates");
    }

    @Override
    public void rebuild() {
      notes.add("rebuild");
    }

    @Override
    public void lost() {
      notes.add("lost");
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void a_hint_reaches_the_other_node_and_not_its_own() throws InterruptedException {
    here.due(3, List.of("dst_a", "dst_b"));
    assertThat(next()).isEqualTo("due 3 dst_a,dst_b");
    here.gatesChanged();
    assertThat(next()).isEqualTo("gates");
    here.rebuild();
    assertThat(next()).isEqualTo("rebuild");
    assertThat(heardByItself).isEmpty();
  }

  @Test
  void many_hints_are_gathered_into_few_and_none_is_lost() throws InterruptedException {
    List<String> ids = IntStream.range(0, 2_000).mapToObj("dst_%05d"::formatted).toList();
    ids.forEach(id -> here.due(0, List.of(id)));
    List<String> got = new ArrayList<>();
    int messages = 0;
    while (got.size() < ids.size()) {
      String note = next();
      messages++;
      got.addAll(List.of(note.substring("due 0 ".length()).split(",")));
    }
    assertThat(got).containsExactlyElementsOf(ids);
    assertThat(messages).isLessThan(200);
  }

  @Test
  void more_hints_than_fit_become_one_walk() throws InterruptedException {
    here.due(0, IntStream.range(0, 20_000).mapToObj("dst_%05d"::formatted).toList());
    assertThat(next()).isEqualTo("lost");
  }

  @Test
  @DisplayName(
      "case 30: a connection that breaks is opened again, and hints that were lost cost a walk")
  void case30_a_broken_connection_is_reopened_and_tells_of_the_loss() throws InterruptedException {
    try (Handle handle =
        Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      handle
          .createQuery(
              """
              select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'penstock wake-up' and datname = current_database()
              """)
          .mapTo(Boolean.class)
          .list();
    }
    assertThat(next()).isEqualTo("lost");
    String note = "";
    while (!note.equals("due 0 dst_after")) {
      here.due(0, List.of("dst_after"));
      note = String.valueOf(heard.poll(100, TimeUnit.MILLISECONDS));
    }
  }
}
