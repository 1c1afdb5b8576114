package io.penstock.engine.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoopTest {
  /** Runs loops on the caller's thread; sleeping takes no time and is noted. */
  private static final class InlineHost implements Host {
    final List<Duration> slept = new ArrayList<>();
    final List<String> failed = new ArrayList<>();

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public RandomGenerator random() {
      return new Random(1);
    }

    @Override
    public Signal newSignal() {
      return new Signal() {
        private long count;

        @Override
        public long count() {
          return count;
        }

        @Override
        public void raise() {
          count++;
        }

        @Override
        public void awaitBeyond(long seen, Duration most) {
          slept.add(most);
        }
      };
    }

    @Override
    public void start(String name, Runnable loop) {
      loop.run();
    }

    @Override
    public void after(Duration delay, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stepFailed(String loop, Throwable failure) {
      failed.add(loop + ": " + failure.getClass().getSimpleName());
    }
  }

  private static final class Ended extends HostEnded {
    private static final long serialVersionUID = 1;

    Ended() {
      super("switched off");
    }
  }

  private final InlineHost host = new InlineHost();
  private int steps;

  /** A loop whose first step throws and whose third stops it. */
  private Loop failingWith(Throwable failure) {
    Loop[] loop = new Loop[1];
    loop[0] =
        new Loop(
            "claim",
            host,
            () -> {
              steps++;
              if (steps == 1) {
                LoopTest.<RuntimeException>sneak(failure);
              }
              if (steps == 3) {
                loop[0].stop();
              }
              return Duration.ofMillis(20);
            });
    return loop[0];
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("bug"),
        new AssertionError("bug"),
        new StackOverflowError(),
        new NoClassDefFoundError("x"),
        new ExceptionInInitializerError("x"),
        new InternalError("x"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("case 47: whatever a step throws, its loop says so, counts it and goes on")
  void whateverAStepThrowsItsLoopGoesOn(Throwable failure) {
    Loop loop = failingWith(failure);
    loop.start();
    assertThat(steps).isEqualTo(3);
    assertThat(loop.hasEnded()).isTrue();
    assertThat(host.slept).containsExactly(Loop.AFTER_FAILURE, Duration.ofMillis(20));
    assertThat(host.failed).containsExactly("claim: " + failure.getClass().getSimpleName());
  }

  @Test
  void aHostThatHasEndedTakesItsLoopsAlong() {
    Loop loop = failingWith(new Ended());
    assertThatThrownBy(loop::start).isInstanceOf(Ended.class);
    assertThat(loop.hasEnded()).isTrue();
    assertThat(host.failed).isEmpty();
  }

  @Test
  void aProcessWithoutMemoryMustEnd() {
    Loop loop = failingWith(new OutOfMemoryError());
    assertThatThrownBy(loop::start).isInstanceOf(OutOfMemoryError.class);
    assertThat(loop.hasEnded()).isTrue();
  }
}
