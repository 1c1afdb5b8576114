package io.penstock.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.send.NodeSlots.Share;
import org.junit.jupiter.api.Test;

class NodeSlotsTest {
  @Test
  void claimsOfSeveralShardsAtOnceStayWithinTheLimit() {
    NodeSlots slots = new NodeSlots(10, 4);
    int taken = 0;
    for (int i = 0; i < 40; i++) {
      taken += slots.take(1_000).all();
    }
    assertThat(taken).isEqualTo(10);
    assertThat(slots.take(1).all()).isZero();
  }

  @Test
  void whatAClaimHasReservedIsNotInFlightUntilItIsLeased() {
    NodeSlots slots = new NodeSlots(10, 1);
    assertThat(slots.take(8).all()).isEqualTo(8);
    assertThat(slots.inFlight()).as("a claim under way").isZero();
    slots.leased(3);
    assertThat(slots.inFlight()).isEqualTo(3);
    assertThat(slots.look().all()).as("the rest is still reserved").isEqualTo(2);
    slots.giveBackUnused(5);
    assertThat(slots.inFlight()).isEqualTo(3);
    assertThat(slots.look().all()).isEqualTo(7);
    slots.giveBack(3);
    assertThat(slots.inFlight()).isZero();
    assertThat(slots.look().all()).isEqualTo(10);
  }

  @Test
  void oneClaimLeavesRoomForTheOtherShards() {
    NodeSlots slots = new NodeSlots(100, 4);
    assertThat(slots.take(1_000).all()).isEqualTo(25);
    assertThat(slots.take(1_000).all()).isEqualTo(19);
    assertThat(new NodeSlots(100, 1).take(1_000).all()).isEqualTo(100);
  }

  @Test
  void aTenthIsKeptForThoseThatHaveNothingInFlight() {
    NodeSlots slots = new NodeSlots(20, 1);
    assertThat(slots.take(17)).isEqualTo(new Share(17, 17));
    assertThat(slots.take(1_000)).isEqualTo(new Share(3, 1));
    slots.giveBackUnused(2);
    assertThat(slots.take(1_000)).isEqualTo(new Share(2, 0));
    assertThat(new NodeSlots(1, 1).take(5)).isEqualTo(new Share(1, 1));
    assertThat(new NodeSlots(2, 1).take(5)).isEqualTo(new Share(2, 1));
  }

  @Test
  void whoFoundNoRoomIsWokenOnceThereIsSomeAndOnlyOnce() {
    NodeSlots slots = new NodeSlots(20, 1);
    slots.leased(slots.take(20).all());
    assertThat(slots.giveBack(1)).as("nobody asked").isFalse();
    assertThat(slots.look()).isEqualTo(new Share(1, 0));
    assertThat(slots.giveBack(1)).as("no room for anyone yet").isFalse();
    assertThat(slots.giveBack(1)).isTrue();
    assertThat(slots.giveBack(1)).isFalse();
  }

  @Test
  void aLookTakesNothingAndALimitIsChecked() {
    NodeSlots slots = new NodeSlots(5, 1);
    assertThat(slots.look()).isEqualTo(new Share(5, 4));
    assertThat(slots.inFlight()).isZero();
    assertThatThrownBy(() -> new NodeSlots(0, 1)).hasMessageContaining("1 to 100,000");
  }
}
