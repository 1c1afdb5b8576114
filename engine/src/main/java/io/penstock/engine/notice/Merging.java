package io.penstock.engine.notice;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When untold notices are told, and how many with one message. A notice waits for a window, so that
 * what heals within it is never told and a swarm comes together; a kind with very many is told at
 * once. Up to {@link #MOST_SINGLE} of a kind are told one by one, more with one message. Pure.
 *
 * @param window how long a notice waits, 0 to an hour
 */
public record Merging(Duration window) {
  /** More than so many of a kind at once are a swarm. */
  public static final int MOST_SINGLE = 3;

  /** With so many of a kind nothing is gained by waiting. */
  public static final int MOST_WAITING = 100;

  public Merging {
    if (window.isNegative() || window.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("window must be 0 s to 1 h, got " + window);
    }
  }

  /** Since when each untold notice is known, by kind and subject. */
  public record State(Map<String, Instant> seen) {
    public static final State NOTHING = new State(Map.of());

    public State {
      seen = Map.copyOf(seen);
    }
  }

  /** The new state, and what to tell now. */
  public record Merged(State state, List<NoticeBatch> told) {}

  /**
   * Decides about all that is untold now. What was seen before and is not among it has healed, and
   * is forgotten; a clock that was set back lets nothing wait longer than a window.
   */
  public Merged decide(State state, List<Notice> untold, Instant now) {
    Map<String, Instant> seen = new HashMap<>();
    Map<NoticeKind, List<Notice>> byKind = new EnumMap<>(NoticeKind.class);
    for (Notice notice : untold) {
      Instant first = state.seen().getOrDefault(name(notice), now);
      seen.put(name(notice), first.isAfter(now) ? now : first);
      byKind.computeIfAbsent(notice.kind(), _ -> new ArrayList<>()).add(notice);
    }
    List<NoticeBatch> told = new ArrayList<>();
    byKind.forEach((kind, notices) -> {
      boolean ripe =
          notices.size() >= MOST_WAITING
              || notices.stream()
                  .anyMatch(one -> !now.isBefore(seen.getOrDefault(name(one), now).plus(window)));
      if (ripe) {
        notices.forEach(one -> seen.remove(name(one)));
        told.addAll(batches(kind, notices));
      }
    });
    return new Merged(new State(seen), told);
  }

  private static List<NoticeBatch> batches(NoticeKind kind, List<Notice> notices) {
    return notices.size() > MOST_SINGLE
        ? List.of(new NoticeBatch(kind, notices))
        : notices.stream().map(one -> new NoticeBatch(kind, List.of(one))).toList();
  }

  private static String name(Notice notice) {
    return notice.kind().word() + " " + notice.subject();
  }
}
