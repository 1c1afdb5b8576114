package io.penstock.engine.redrive;

import io.penstock.engine.destination.Gate;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a redrive does next, with its reason and numbers. */
public sealed interface RedriveDecision {

  /** One word, stored and shown. */
  String word();

  /** One sentence for people. */
  String sentence();

  /** When it wants to be asked again; null = never. */
  @Nullable Instant again();

  /** Release up to {@code most} of the frozen set now. */
  record Release(int most, Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "releasing";
    }

    @Override
    public String sentence() {
      return "it releases";
    }
  }

  /** The set is not complete yet. */
  record Freezing(Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "freezing";
    }

    @Override
    public String sentence() {
      return "deaths of the moment of its start are still being written";
    }
  }

  /** The rate allows the next message at {@code again}. */
  record Paced(int ratePerMinute, Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "rate";
    }

    @Override
    public String sentence() {
      return "it keeps to its rate of %,d a minute".formatted(ratePerMinute);
    }
  }

  /** Enough is ready: fresh events and what was released before go first. */
  record Backlog(int ready, int lowWatermark, Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "backlog";
    }

    @Override
    public String sentence() {
      return "%,d deliveries or more are ready, and it releases only below %,d"
          .formatted(ready, lowWatermark);
    }
  }

  /** The canary is out and not judged yet. */
  record Canary(long delivered, long failed, long first, int percent, Instant again)
      implements RedriveDecision {
    @Override
    public String word() {
      return "canary";
    }

    @Override
    public String sentence() {
      return "of the first %,d messages %,d were delivered and %,d failed; it goes on at %d %%"
          .formatted(first, delivered, failed, percent);
    }
  }

  /** The destination is not served now. */
  record Closed(Gate.Closed closed, Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "destination_" + closed.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String sentence() {
      return "its destination is " + closed.name().toLowerCase(Locale.ROOT);
    }
  }

  /** Nothing is released any more, or for now; outcomes are followed. */
  record Following(String word, String sentence, @Nullable Instant again)
      implements RedriveDecision {}

  /** All of the set was gone through. */
  record Complete(long released, long skipped, Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "completed";
    }

    @Override
    public String sentence() {
      return "all was gone through: %,d released, %,d skipped".formatted(released, skipped);
    }
  }

  /** The canary failed. */
  record CanaryFailed(long delivered, long failed, long first, int percent, Instant again)
      implements RedriveDecision {
    @Override
    public String word() {
      return "canary_failed";
    }

    @Override
    public String sentence() {
      return "of the first %,d messages %,d failed and %,d were delivered; wanted %d %%"
          .formatted(first, failed, delivered, percent);
    }
  }

  /** Too much failed again. */
  record TooManyFailed(long failed, long judged, int percent, Instant again)
      implements RedriveDecision {
    @Override
    public String word() {
      return "too_many_failed";
    }

    @Override
    public String sentence() {
      return "%,d of %,d messages failed again; the bound is %d %%"
          .formatted(failed, judged, percent);
    }
  }

  /** There is nowhere to send it. */
  record DestinationDeleted(Instant again) implements RedriveDecision {
    @Override
    public String word() {
      return "destination_deleted";
    }

    @Override
    public String sentence() {
      return "its destination was deleted";
    }
  }
}
