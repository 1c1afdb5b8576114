package io.penstock.push.guard;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An IP address as a number, so that blocks can be compared.
 *
 * @param v6 whether it is an IPv6 address
 * @param high the upper 64 bits of an IPv6 address; 0 for IPv4
 * @param low the lower 64 bits of an IPv6 address, or the 32 bits of an IPv4 one
 */
record Ip(boolean v6, long high, long low) {
  private static final long MASK_32 = 0xffff_ffffL;
  private static final long NAT64_HIGH = 0x0064_ff9b_0000_0000L;
  private static final long MAPPED_PREFIX = 0xffffL;
  private static final long TRANSLATED_PREFIX = 0xffff_0000L;
  private static final long TEREDO_PREFIX = 0x2001_0000L;
  private static final long SIX_TO_FOUR_PREFIX = 0x2002L;

  /** The address; the JDK has turned IPv4-mapped IPv6 into IPv4 already. */
  static Ip of(InetAddress address) {
    byte[] bytes = address.getAddress();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return bytes.length == Integer.BYTES
        ? v4(buffer.getInt())
        : new Ip(true, buffer.getLong(), buffer.getLong());
  }

  private static Ip v4(long bits) {
    return new Ip(false, 0, bits & MASK_32);
  }

  int bits() {
    return v6 ? 128 : 32;
  }

  /**
   * The IPv4 address inside an IPv6 one: mapped, compatible, translated, NAT64, 6to4 or Teredo (the
   * client's, which is stored inverted); null when there is none.
   */
  @Nullable Ip carried() {
    if (!v6) {
      return null;
    }
    if (high == 0) {
      long upper = low >>> 32;
      boolean unspecifiedOrLoopback = low == 0 || low == 1;
      boolean carries = (upper == 0 && !unspecifiedOrLoopback) || upper == MAPPED_PREFIX;
      return carries || upper == TRANSLATED_PREFIX ? v4(low) : null;
    }
    if (high == NAT64_HIGH && low >>> 32 == 0) {
      return v4(low);
    }
    if (high >>> 48 == SIX_TO_FOUR_PREFIX) {
      return v4(high >>> 16);
    }
    return high >>> 32 == TEREDO_PREFIX ? v4(~low) : null;
  }
}
