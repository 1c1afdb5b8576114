package io.penstock.engine.notice;

import java.util.List;

/**
 * What is told with one message: one notice, or a swarm of one kind.
 *
 * @param all what is known when it was told
 */
public record NoticeBatch(NoticeKind kind, List<Notice> all) {
  /** Of a swarm so many are named; the rest is a number. */
  public static final int MOST_NAMED = 20;

  public NoticeBatch {
    all = List.copyOf(all);
  }

  public int count() {
    return all.size();
  }

  /** The oldest ones. */
  public List<Notice> named() {
    return all.subList(0, Math.min(MOST_NAMED, all.size()));
  }
}
