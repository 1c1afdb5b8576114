package io.penstock.engine.claim;

import io.penstock.engine.send.NodeSlots.Share;
import java.util.List;

/**
 * Who may go when more is due than slots are free. Each destination gets one, in the order of their
 * turns; one that has nothing in flight takes it from the slots that are kept for such. What is
 * left is shared out evenly among those that may have more, so that the quantum of each follows the
 * share and a backlog of a million gets no more than its neighbours. What is granted in all never
 * exceeds what is free. Pure.
 */
final class Scarcity {
  private Scarcity() {}

  static void share(Share share, List<Wish> inTurn) {
    int kept = share.all() - share.anyone();
    int anyone = share.anyone();
    for (Wish wish : inTurn) {
      if (!wish.busy && kept > 0) {
        kept--;
        wish.granted = 1;
      } else if (anyone > 0) {
        anyone--;
        wish.granted = 1;
      }
    }
    shareRest(anyone, inTurn.stream().filter(wish -> wish.granted > 0).toList());
  }

  private static void shareRest(int rest, List<Wish> inTurn) {
    List<Wish> open = wanting(inTurn);
    while (rest > 0 && !open.isEmpty()) {
      int quantum = Math.max(1, rest / open.size());
      for (Wish wish : open) {
        int more = Math.min(rest, Math.min(quantum, wish.wants()));
        wish.granted += more;
        rest -= more;
      }
      open = wanting(open);
    }
  }

  private static List<Wish> wanting(List<Wish> among) {
    return among.stream().filter(wish -> wish.wants() > 0).toList();
  }
}
