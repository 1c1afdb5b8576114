package io.penstock.gameday.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuditorTest {
  private static final List<PostLog.Posted> POSTED =
      List.of(new PostLog.Posted(1, "a"), new PostLog.Posted(2, "b"), new PostLog.Posted(3, "c"));

  @Test
  void what_was_accepted_and_never_received_is_lost() {
    Auditor.Finding finding = audit(List.of("a", "c", "not accepted"), Set.of(), Set.of());

    assertThat(finding.lost()).containsExactly("b");
    assertThat(finding.repeated()).isEmpty();
  }

  @Test
  void a_repeat_is_beyond_what_was_promised_unless_it_was_under_way() {
    List<String> receipts = List.of("a", "a", "b", "b", "c", "c");

    Auditor.Finding finding = audit(receipts, Set.of("a"), Set.of("b"));

    assertThat(finding.repeated()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(finding.beyond()).containsExactlyInAnyOrder("b", "c");
    assertThat(finding.unexplained()).containsExactly("c");
  }

  private static Auditor.Finding audit(
      List<String> receipts, Set<String> underWay, Set<String> leaseLost) {
    return Auditor.audit(
        POSTED,
        receipts.stream().map(id -> new ReceiptLog.Receipt(1, id)).toList(),
        underWay,
        Set.of(),
        leaseLost);
  }
}
