package io.penstock.push.guard;

import io.penstock.push.guard.ReservedBlocks.Reserved;
import io.penstock.push.guard.Verdict.Allowed;
import io.penstock.push.guard.Verdict.Refused;
import io.penstock.push.guard.Verdict.Rule;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps requests that customers can direct away from our own networks (server-side request
 * forgery). Pure: it looks nothing up. A URL is judged when a destination is created and before
 * every attempt; the addresses of its name are judged whenever it is dialled, all of them, and only
 * judged ones are dialled. Safe for use by many threads.
 */
public final class Guard {
  private final EgressPolicy policy;

  public Guard(EgressPolicy policy) {
    this.policy = policy;
  }

  /** Judges a URL as far as that goes without looking its host up. */
  public Verdict check(String url) {
    Target target;
    try {
      target = UrlParser.parse(url);
    } catch (UrlParser.MalformedUrl e) {
      return new Refused(Rule.URL, e.reason());
    }
    if (policy.ports().stream().noneMatch(range -> range.contains(target.port()))) {
      return new Refused(Rule.PORT, portMessage(target));
    }
    InetAddress literal = target.literal();
    Optional<Refused> refusal =
        literal == null ? Optional.empty() : refusal(target.host(), List.of(literal));
    return refusal.<Verdict>map(refused -> refused).orElseGet(() -> new Allowed(target));
  }

  /**
   * Judges the addresses that a host resolved to; empty when every one of them may be dialled. One
   * refused address refuses the host, because the next look-up may put it first.
   */
  public Optional<Refused> refusal(String host, List<InetAddress> addresses) {
    if (policy.hosts().contains(host)) {
      return Optional.empty();
    }
    for (InetAddress address : addresses) {
      Reserved reserved = blocking(Ip.of(address));
      if (reserved != null) {
        return Optional.of(new Refused(Rule.ADDRESS, addressMessage(host, address, reserved)));
      }
    }
    return Optional.empty();
  }

  /** The reserved block that keeps this address shut, looking into carriers; null when none. */
  private @Nullable Reserved blocking(Ip ip) {
    Reserved reserved = ReservedBlocks.find(ip);
    if (reserved != null && policy.blocks().stream().noneMatch(block -> block.contains(ip))) {
      return reserved;
    }
    Ip carried = ip.carried();
    return carried == null ? null : blocking(carried);
  }

  private String portMessage(Target target) {
    return "policy blocks port %d; allowed are %s; to allow it, add %d to %s"
        .formatted(target.port(), policy.ports(), target.port(), EgressPolicy.PORTS_SETTING);
  }

  private static String addressMessage(String host, InetAddress address, Reserved reserved) {
    return "policy blocks %s: its address %s lies in %s (%s); to allow it, add the host name or a"
            .formatted(host, address.getHostAddress(), reserved.block(), reserved.what())
        + " block of addresses to "
        + EgressPolicy.ALLOW_SETTING;
  }
}
