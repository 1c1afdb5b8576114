package io.penstock.push.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class NamesTest {
  private static final Duration PATIENCE = Duration.ofMillis(1);
  private static final InetAddress ADDRESS = InetAddress.ofLiteral("93.184.216.34");

  private long nanos;
  private final Set<String> known = new HashSet<>();
  private final List<String> asked = new ArrayList<>();
  private final Names names = new Names(this::resolve, Runnable::run, () -> nanos);

  private InetAddress[] resolve(String host) throws UnknownHostException {
    asked.add(host);
    if (!known.contains(host)) {
      throw new UnknownHostException(host);
    }
    return new InetAddress[] {ADDRESS};
  }

  @Test
  void aNameIsFoundAndKept() throws InterruptedException {
    known.add("a.example");
    assertThat(names.resolve("a.example", PATIENCE))
        .isEqualTo(new Resolution.Found(List.of(ADDRESS)));
    names.resolve("a.example", PATIENCE);
    assertThat(asked).containsExactly("a.example");
  }

  @Test
  void aHangingLookUpEndsThePatienceAndNotTheCaller() throws InterruptedException {
    Names hanging = new Names(this::resolve, _ -> {}, () -> nanos);
    assertThat(hanging.resolve("a.example", PATIENCE)).isEqualTo(new Resolution.Late());
  }

  @Test
  void tooManyHangingLookUpsAreTheNodesTrouble() throws InterruptedException {
    Names full =
        new Names(
            this::resolve,
            _ -> {
              throw new RejectedExecutionException("full");
            },
            () -> nanos);
    assertThat(full.resolve("a.example", PATIENCE)).isEqualTo(new Resolution.NodeTrouble());
  }

  @Test
  void deadNamesAreTheirOwnFaultWhileAnotherStillResolves() throws InterruptedException {
    known.add("good.example");
    names.resolve("good.example", PATIENCE);
    for (String dead : List.of("a.dead1", "a.dead2", "a.dead3", "a.dead4")) {
      assertThat(names.resolve(dead, PATIENCE)).isEqualTo(new Resolution.NotFound());
    }
    assertThat(asked).as("the witness is asked once").containsOnlyOnce("a.dead4");
    assertThat(asked.stream().filter("good.example"::equals)).hasSize(2);
  }

  @Test
  void severalUnrelatedNamesTogetherWithAKnownGoodOneAreTheNodesTrouble()
      throws InterruptedException {
    known.add("good.example");
    names.resolve("good.example", PATIENCE);
    known.clear();
    assertThat(names.resolve("a.one", PATIENCE)).isEqualTo(new Resolution.NotFound());
    assertThat(names.resolve("a.two", PATIENCE)).isEqualTo(new Resolution.NotFound());
    assertThat(names.resolve("a.three", PATIENCE)).isEqualTo(new Resolution.NodeTrouble());
  }

  @Test
  void manyNamesOfOneDomainAreOneFailure() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      assertThat(names.resolve("h" + i + ".dead.example", PATIENCE))
          .isEqualTo(new Resolution.NotFound());
    }
  }

  @Test
  void failuresFarApartDoNotAddUp() throws InterruptedException {
    for (String dead : List.of("a.one", "a.two", "a.three", "a.four")) {
      assertThat(names.resolve(dead, PATIENCE)).isEqualTo(new Resolution.NotFound());
      nanos += Duration.ofSeconds(6).toNanos();
    }
  }

  @Test
  void whenNothingHasEverResolvedTheNodeIsSuspected() throws InterruptedException {
    names.resolve("a.one", PATIENCE);
    names.resolve("a.two", PATIENCE);
    assertThat(names.resolve("a.three", PATIENCE)).isEqualTo(new Resolution.NodeTrouble());
  }

  @Test
  void aResolverThatIsDownStopsNoNameThatIsKnown() throws InterruptedException {
    known.add("a.example");
    names.resolve("a.example", PATIENCE);
    known.clear();
    nanos += Duration.ofSeconds(60).toNanos();
    names.resolve("a.example", PATIENCE);
    assertThat(names.resolve("a.example", PATIENCE)).isInstanceOf(Resolution.Found.class);
  }
}
