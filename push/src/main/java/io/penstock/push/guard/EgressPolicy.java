package io.penstock.push.guard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the operator lets out, from {@code egress.allow} and {@code egress.ports} of penstock.yaml.
 *
 * @param blocks reserved addresses that are allowed after all
 * @param hosts names whose addresses are allowed wherever they point, lower case
 * @param ports the only ports that are dialled
 */
public record EgressPolicy(List<Cidr> blocks, Set<String> hosts, List<PortRange> ports) {
  /** The setting that lets addresses and names out. */
  public static final String ALLOW_SETTING = "egress.allow";

  /** The setting that lets ports out. */
  public static final String PORTS_SETTING = "egress.ports";

  /** The web's two ports, and those that need no privilege; mail and shells stay shut. */
  private static final List<PortRange> DEFAULT_PORTS =
      List.of(new PortRange(80, 80), new PortRange(443, 443), new PortRange(1024, 65_535));

  /** Public addresses only. */
  public static final EgressPolicy STRICT = of(List.of(), List.of());

  /** For {@code dev} and {@code demo}: this machine as well. */
  public static final EgressPolicy WITH_LOOPBACK = of(List.of("127.0.0.0/8", "::1/128"), List.of());

  public EgressPolicy {
    blocks = List.copyOf(blocks);
    hosts = Set.copyOf(hosts);
    ports = List.copyOf(ports);
  }

  /**
   * Reads the two settings.
   *
   * @param allow blocks, single addresses and host names, mixed
   * @param ports ranges; empty = the default
   * @throws IllegalArgumentException that names the entry and what is wanted
   */
  public static EgressPolicy of(List<String> allow, List<String> ports) {
    List<Cidr> blocks = new ArrayList<>();
    Set<String> hosts = new HashSet<>();
    for (String entry : allow) {
      if (entry.contains("/") || entry.contains(":") || Hosts.looksLikeIpv4(entry)) {
        blocks.add(Cidr.parse(entry));
      } else {
        hosts.add(hostName(entry));
      }
    }
    List<PortRange> ranges = ports.stream().map(PortRange::parse).toList();
    return new EgressPolicy(blocks, hosts, ranges.isEmpty() ? DEFAULT_PORTS : ranges);
  }

  private static String hostName(String entry) {
    String host = entry.toLowerCase(Locale.ROOT);
    if (!Hosts.isName(host)) {
      throw new IllegalArgumentException(
          "%s in %s is neither a host name nor a block of addresses such as 10.0.0.0/8"
              .formatted(entry, ALLOW_SETTING));
    }
    return host;
  }
}
