package io.penstock.push.lookup;

import java.net.InetAddress;
import java.util.List;

/** What became of looking a host name up. */
public sealed interface Resolution {

  /** Its addresses, at least one, in the order in which they are to be tried. */
  record Found(List<InetAddress> addresses) implements Resolution {
    public Found {
      addresses = List.copyOf(addresses);
    }
  }

  /** The name does not resolve while others do. */
  record NotFound() implements Resolution {}

  /** No answer within the time allowed. */
  record Late() implements Resolution {}

  /** The fault is on this node's side: unrelated names fail as well, or too many hang. */
  record NodeTrouble() implements Resolution {}
}
