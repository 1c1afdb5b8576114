package io.penstock.push.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The spellings of a host. Addresses in the old forms of C libraries ({@code 2130706433}, {@code
 * 0x7f.1}, {@code 017700000001}) are read here, as the URL standard of the web reads them, so that
 * no later layer can understand them differently.
 */
final class Hosts {
  private static final int MAX_NAME = 253;
  private static final int MAX_LABEL = 63;
  private static final Pattern LAST_LABEL = Pattern.compile("\\d+|0[xX][0-9a-fA-F]*");
  private static final Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F]{0,8}");
  private static final Pattern OCTAL = Pattern.compile("0[0-7]{1,11}");
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d{0,9}");

  private Hosts() {}

  /** Whether it is a lower-case name of letters, digits, hyphens and underscores. */
  static boolean isName(String host) {
    int label = 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean dot = c == '.';
      if (dot ? label == 0 : !isLabelChar(c) || label == MAX_LABEL) {
        return false;
      }
      label = dot ? 0 : label + 1;
    }
    return label > 0 && host.length() <= MAX_NAME;
  }

  private static boolean isLabelChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  }

  /** Whether its last label is a number: then it is an IPv4 address or nothing. */
  static boolean looksLikeIpv4(String host) {
    String last = host.substring(host.lastIndexOf('.') + 1);
    boolean digit = !last.isEmpty() && last.charAt(0) >= '0' && last.charAt(0) <= '9';
    return digit && LAST_LABEL.matcher(last).matches();
  }

  /** The address of one to four numbers, decimal, octal or hexadecimal; null when it is none. */
  static @Nullable InetAddress ipv4(String host) {
    String[] parts = host.split("\\.", -1);
    if (parts.length > Integer.BYTES) {
      return null;
    }
    long address = 0;
    for (int i = 0; i < parts.length; i++) {
      long number = number(parts[i]);
      boolean last = i == parts.length - 1;
      int free = Byte.SIZE * (Integer.BYTES - i);
      long bound = last ? (1L << free) - 1 : 0xff;
      if (number < 0 || number > bound) {
        return null;
      }
      address |= last ? number : number << (free - Byte.SIZE);
    }
    return address(address);
  }

  /** The number, or −1. */
  private static long number(String part) {
    if (HEXADECIMAL.matcher(part).matches()) {
      return part.length() == 2 ? 0 : Long.parseLong(part.substring(2), 16);
    }
    if (OCTAL.matcher(part).matches()) {
      return Long.parseLong(part, 8);
    }
    return DECIMAL.matcher(part).matches() ? Long.parseLong(part) : -1;
  }

  private static InetAddress address(long bits) {
    byte[] bytes = new byte[Integer.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bits >>> (Byte.SIZE * (bytes.length - 1 - i)));
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  /** The address between the brackets of a URL; null when it is none or names a zone. */
  static @Nullable InetAddress ipv6(String inBrackets) {
    if (inBrackets.indexOf(':') < 0 || inBrackets.indexOf('%') >= 0) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(inBrackets);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
