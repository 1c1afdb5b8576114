package io.penstock.engine.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.testing.TestingHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeRestTest {
  private final TestingHost host = new TestingHost();
  private final List<Duration> rests = new ArrayList<>();
  private final NodeRest rest =
      new NodeRest(
          host,
          new NodeListener() {
            @Override
            public void rests(Duration howLong, String detail) {
              rests.add(howLong);
            }
          });

  private void fails(String... names) {
    for (String name : names) {
      rest.failed(name, host.nanoTime(), "dns_node_trouble");
    }
  }

  @Test
  void severalUnrelatedHostsThatFailByOurFaultRestTheNode() {
    fails("a", "a", "a", "b");
    assertThat(rest.left()).isZero();
    fails("c");
    assertThat(rest.left()).isBetween(NodeRest.FIRST, NodeRest.FIRST.multipliedBy(2));
    assertThat(rests).hasSize(1);
  }

  @Test
  void aHostThatAnswersInBetweenShowsThatTheNodeIsWell() {
    fails("a", "b");
    host.pass(Duration.ofMillis(10));
    rest.answered(host.nanoTime());
    fails("c");
    assertThat(rests).isEmpty();
  }

  @Test
  void anAnswerToSomethingOlderThanTheTroubleShowsNothing() {
    long before = host.nanoTime();
    host.pass(Duration.ofMillis(10));
    fails("a", "b");
    rest.answered(before);
    fails("c");
    assertThat(rests).hasSize(1);
    rest.answered(before);
    assertThat(rest.left()).isPositive();
    rest.failed("d", before, "ledger");
    assertThat(rests).hasSize(1);
  }

  @Test
  void failuresFarApartAreNoTroubleOfTheNode() {
    for (String name : List.of("a", "b", "c", "d")) {
      fails(name);
      host.pass(NodeRest.WITHIN.dividedBy(2).plusMillis(1));
    }
    assertThat(rests).isEmpty();
  }

  @Test
  void restsGrowUntilATrialIsAnsweredAndATrialIsSmall() {
    fails("a", "b", "c");
    host.pass(rest.left());
    assertThat(rest.most(1_000)).isEqualTo(NodeRest.TRIAL);
    assertThat(rest.most(1_000)).isZero();
    host.pass(Duration.ofSeconds(1));
    assertThat(rest.most(5)).isEqualTo(5);
    assertThat(rest.most(5)).isEqualTo(3);
    fails("a");
    for (int i = 0; i < 8; i++) {
      host.pass(rest.left());
      assertThat(rest.left()).isZero();
      fails("a");
    }
    for (int i = 1; i < rests.size(); i++) {
      assertThat(rests.get(i))
          .isBetween(NodeRest.FIRST, NodeRest.LONGEST.multipliedBy(6).dividedBy(5));
    }
    assertThat(rests.get(3)).isGreaterThan(rests.get(1).multipliedBy(3));
    assertThat(rests.getLast()).isGreaterThanOrEqualTo(NodeRest.LONGEST);
    host.pass(rest.left());
    rest.answered(host.nanoTime());
    assertThat(rest.left()).isZero();
    assertThat(rest.most(1_000)).isEqualTo(1_000);
    fails("a", "b", "c");
    assertThat(rests.getLast()).isLessThan(NodeRest.FIRST.multipliedBy(2));
  }
}
