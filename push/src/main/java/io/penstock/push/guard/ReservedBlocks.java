package io.penstock.push.guard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every block of addresses that is not a public receiver (IANA's special-purpose registries, and
 * one cloud's well-known metadata address). Blocks that carry IPv4 inside IPv6 are refused as
 * blocks where no honest name points to them, and judged by their IPv4 where one may ({@code
 * ::/96}, {@code ::ffff:0:0/96}).
 */
final class ReservedBlocks {
  record Reserved(Cidr block, String what) {}

  private static final List<Reserved> ALL =
      List.of(
          reserved("0.0.0.0/8", "this network"),
          reserved("10.0.0.0/8", "private network"),
          reserved("100.64.0.0/10", "carrier-grade NAT"),
          reserved("127.0.0.0/8", "loopback"),
          reserved("168.63.129.16/32", "cloud metadata"),
          reserved("169.254.0.0/16", "link-local, cloud metadata"),
          reserved("172.16.0.0/12", "private network"),
          reserved("192.0.0.0/24", "protocol assignments"),
          reserved("192.0.2.0/24", "documentation"),
          reserved("192.88.99.0/24", "6to4 relay"),
          reserved("192.168.0.0/16", "private network"),
          reserved("198.18.0.0/15", "benchmarking"),
          reserved("198.51.100.0/24", "documentation"),
          reserved("203.0.113.0/24", "documentation"),
          reserved("224.0.0.0/4", "multicast"),
          reserved("240.0.0.0/4", "reserved, broadcast"),
          reserved("::/128", "unspecified"),
          reserved("::1/128", "loopback"),
          reserved("64:ff9b::/96", "NAT64"),
          reserved("64:ff9b:1::/48", "local NAT64"),
          reserved("100::/64", "discard"),
          reserved("2001::/32", "Teredo"),
          reserved("2001:db8::/32", "documentation"),
          reserved("2002::/16", "6to4"),
          reserved("3fff::/20", "documentation"),
          reserved("5f00::/16", "segment routing"),
          reserved("fc00::/7", "private network"),
          reserved("fe80::/10", "link-local"),
          reserved("fec0::/10", "site-local"),
          reserved("ff00::/8", "multicast"));

  private ReservedBlocks() {}

  private static Reserved reserved(String block, String what) {
    return new Reserved(Cidr.parse(block), what);
  }

  /** The block that holds the address; null when it is public. */
  static @Nullable Reserved find(Ip ip) {
    for (Reserved reserved : ALL) {
      if (reserved.block().contains(ip)) {
        return reserved;
      }
    }
    return null;
  }
}
