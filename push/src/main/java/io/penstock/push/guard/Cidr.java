package io.penstock.push.guard;

import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses.
 *
 * @param network its first address
 * @param prefix how many leading bits count: 0 to 32 for IPv4, 0 to 128 for IPv6
 * @param text as it was written
 */
public record Cidr(Ip network, int prefix, String text) {

  /**
   * Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address. Throws IllegalArgumentException
   * that names what was got and what is wanted.
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    Ip network = literal(address);
    if (network == null) {
      throw wrong(text);
    }
    int prefix = slash < 0 ? network.bits() : prefix(text.substring(slash + 1), network, text);
    Cidr block = new Cidr(network, prefix, text);
    if (!block.startsAtItsNetwork()) {
      throw new IllegalArgumentException(
          "%s has bits set after its prefix of %d; write the first address of the block"
              .formatted(text, prefix));
    }
    return block;
  }

  private static @Nullable Ip literal(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      // The JDK reads 10.1 as 10.0.0.1, which nobody means here.
      boolean odd = address instanceof Inet4Address && !address.getHostAddress().equals(text);
      return odd ? null : Ip.of(address);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static int prefix(String digits, Ip network, String text) {
    if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > network.bits()) {
      throw wrong(text);
    }
    return Integer.parseInt(digits);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "%s is no block of addresses; wanted one like 10.0.0.0/8, fd00::/8 or 10.1.2.3"
            .formatted(text));
  }

  private boolean startsAtItsNetwork() {
    return network.high() == (network.high() & highMask())
        && network.low() == (network.low() & lowMask());
  }

  boolean contains(Ip ip) {
    return ip.v6() == network.v6()
        && (ip.high() & highMask()) == network.high()
        && (ip.low() & lowMask()) == network.low();
  }

  private long highMask() {
    return network.v6() ? leading(Math.min(prefix, 64), 64) : 0;
  }

  private long lowMask() {
    return network.v6() ? leading(Math.max(prefix - 64, 0), 64) : leading(prefix, 32);
  }

  /** A mask of the first {@code ones} of {@code width} bits. */
  private static long leading(int ones, int width) {
    long all = width == 64 ? -1L : (1L << width) - 1;
    return ones == 0 ? 0 : all & (all << (width - ones));
  }

  @Override
  public String toString() {
    return text;
  }
}
