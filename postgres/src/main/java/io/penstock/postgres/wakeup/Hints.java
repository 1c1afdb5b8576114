package io.penstock.postgres.wakeup;

import io.penstock.engine.wakeup.Wakeup.Listener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hints that wait to be sent, and their form on the wire: {@code sender due shard id id …}, {@code
 * sender gates}, {@code sender limits}, {@code sender walk}, {@code sender rebuild}. Not safe for
 * use by several threads.
 */
final class Hints {
  /** Postgres refuses payloads of 8,000 bytes. Ids are ASCII. */
  private static final int MOST_BYTES = 7_900;

  /** More ids than this say less than "walk": and they must not fill the memory. */
  private static final int MOST_IDS = 10_000;

  private static final String DUE = "due";
  private static final String GATES = "gates";
  private static final String LIMITS = "limits";
  private static final String WALK = "walk";
  private static final String REBUILD = "rebuild";

  private final Map<Integer, Set<String>> due = new TreeMap<>();
  private boolean gates;
  private boolean limits;
  private boolean walk;
  private boolean rebuild;

  void addDue(int shard, Collection<String> ids) {
    Set<String> waiting = due.computeIfAbsent(shard, any -> new LinkedHashSet<>());
    waiting.addAll(ids);
    if (waiting.size() > MOST_IDS) {
      due.clear();
      walk = true;
    }
  }

  void addGates() {
    gates = true;
  }

  void addLimits() {
    limits = true;
  }

  /** Hints were lost on the way: let the others look for themselves. */
  void addWalk() {
    walk = true;
  }

  /** Somebody asked for it: a node of an earlier version walks at least. */
  void addRebuild() {
    rebuild = true;
  }

  boolean isEmpty() {
    return due.isEmpty() && !gates && !limits && !walk && !rebuild;
  }

  /** The payloads of all that waits, which waits no more. */
  List<String> take(String sender) {
    List<String> payloads = new ArrayList<>();
    if (gates) {
      payloads.add(sender + " " + GATES);
    }
    if (rebuild) {
      payloads.add(sender + " " + REBUILD);
    }
    if (limits) {
      payloads.add(sender + " " + LIMITS);
    }
    if (walk) {
      payloads.add(sender + " " + WALK);
    }
    due.forEach((shard, ids) -> addPayloads(payloads, sender, shard, ids));
    due.clear();
    gates = false;
    limits = false;
    walk = false;
    rebuild = false;
    return payloads;
  }

  private static void addPayloads(
      List<String> payloads, String sender, int shard, Collection<String> ids) {
    String head = sender + " " + DUE + " " + shard;
    StringBuilder payload = new StringBuilder(head);
    for (String id : ids) {
      if (payload.length() + 1 + id.length() > MOST_BYTES) {
        payloads.add(payload.toString());
        payload = new StringBuilder(head);
      }
      payload.append(' ').append(id);
    }
    payloads.add(payload.toString());
  }

  /** Tells a listener what a payload says, unless {@code self} sent it. */
  static void tell(String payload, String self, Listener listener) {
    List<String> words = List.of(payload.split(" ", -1));
    if (words.size() < 2 || words.getFirst().equals(self)) {
      return;
    }
    switch (words.get(1)) {
      case DUE -> listener.due(Integer.parseInt(words.get(2)), words.subList(3, words.size()));
      case GATES -> listener.gatesChanged();
      case REBUILD -> listener.rebuild();
      case LIMITS -> listener.limitsChanged();
      // A word of a later version is a hint as well, and walking is right for any.
      default -> listener.lost();
    }
  }
}
