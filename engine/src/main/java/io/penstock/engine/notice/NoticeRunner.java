package io.penstock.engine.notice;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** Tells operators, as a step now and then. For one thread. */
public final class NoticeRunner {
  /** Between two looks: what is told is minutes old when a person reads it. */
  static final Duration REST = Duration.ofSeconds(5);

  private final Notices notices;
  private final String node;
  private final Merging merging;
  private final Consumer<NoticeBatch> post;
  private final InstantSource clock;
  private final NodeListener trouble;
  private Merging.State state = Merging.State.NOTHING;

  /**
   * @param post commits an event that tells a batch; posting the same batch twice must do no harm
   */
  public NoticeRunner(
      Notices notices,
      String node,
      Merging merging,
      Consumer<NoticeBatch> post,
      InstantSource clock,
      NodeListener trouble) {
    this.notices = notices;
    this.node = node;
    this.merging = merging;
    this.post = post;
    this.clock = clock;
    this.trouble = trouble;
  }

  /** Looks, and tells what is ripe; returns how long to rest. */
  public Duration runOnce() {
    try {
      if (notices.lead(node)) {
        tell(notices.untold());
      } else {
        state = Merging.State.NOTHING;
      }
    } catch (LedgerException failure) {
      trouble.ledgerFailed("notices", failure);
    }
    return REST;
  }

  /** Posted before it is remembered: a crash between the two tells twice, never not at all. */
  private void tell(List<Notice> untold) {
    Merging.Merged merged = merging.decide(state, untold, clock.instant());
    for (NoticeBatch batch : merged.told()) {
      post.accept(batch);
      notices.told(batch.all());
    }
    state = merged.state();
  }
}
