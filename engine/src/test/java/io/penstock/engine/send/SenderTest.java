package io.penstock.engine.send;

import static io.penstock.engine.testing.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.testing.Samples;
import io.penstock.engine.testing.TestingHost;
import io.penstock.engine.transport.AttemptResult;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SenderTest {
  private final TestingHost host = new TestingHost();
  private final LedgerTime time = new LedgerTime(host::nanoTime);
  private final List<String> sent = new ArrayList<>();
  private final List<Settlement> settled = new ArrayList<>();
  private final Sender sender =
      new Sender(
          (attempt, completion) -> {
            sent.add(attempt.destination().id());
            completion.ended(
                new AttemptResult(
                    new Outcome.Delivered(200, "ok", Hint.NONE),
                    Duration.ofMillis(3),
                    new byte[0],
                    null));
          },
          oneDestination(),
          1 << 20,
          time,
          host,
          "node-1",
          settled::add,
          new NodeRest(host, NodeListener.NONE),
          NodeListener.NONE);

  private static Ledger oneDestination() {
    Destination it =
        new Destination(
            "d", 0, "acme", Destination.Mode.PUSH, "http://x/", List.of(), List.of(), "d", 1);
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (_, method, _) -> {
              if (method.getName().equals("destinations")) {
                return List.of(it);
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private Sending sending(int nth, Duration after) {
    return new Sending(
        Samples.leased("d", nth),
        new Stamp(4, false, false, false),
        1,
        1,
        after,
        NOW,
        host.nanoTime(),
        Duration.ofDays(1),
        null,
        Duration.ofSeconds(15),
        OutcomeOverrides.NONE);
  }

  private long handedBack() {
    return settled.stream().filter(one -> one.feedback() instanceof Feedback.HandedBack).count();
  }

  @Test
  void whatIsPacedGoesBackWhenItsBudgetClosedOrWasCutMeanwhile() {
    time.observe(NOW);
    sender.send(List.of(sending(0, Duration.ZERO), sending(1, Duration.ofMillis(40))));
    assertThat(sent).hasSize(1);
    sender.generationsAre(Map.of("d", 5L)); // a 410 was booked
    host.pass(Duration.ofMillis(40));
    assertThat(sent).hasSize(1);
    assertThat(handedBack()).isEqualTo(1);
  }

  @Test
  void aSendThatIsLateAfterItsDebitGoesBack() {
    time.observe(NOW);
    Sending onTime = sending(0, Duration.ofMillis(80));
    Sending late = sending(1, Duration.ofMillis(101));
    sender.send(List.of(onTime, late));
    host.pass(Duration.ofMillis(80));
    assertThat(sent).hasSize(1);
    host.pass(Duration.ofMillis(21));
    assertThat(sent).hasSize(1);
    assertThat(handedBack()).isEqualTo(1);
  }

  @Test
  void aClaimThatTookTooLongSendsNothing() {
    time.observe(NOW);
    Sending claimed = sending(0, Duration.ZERO);
    host.pass(Sender.LATEST_START.plusMillis(1));
    sender.send(List.of(claimed));
    assertThat(sent).isEmpty();
    assertThat(handedBack()).isEqualTo(1);
  }
}
