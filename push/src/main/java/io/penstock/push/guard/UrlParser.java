package io.penstock.push.guard;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads a receiver's URL. Stricter than the standards: what two parsers could read differently
 * (user information, backslashes, blanks, fragments, percent signs in a host) is refused, because
 * such differences are how a guard is walked around.
 */
final class UrlParser {
  /** More is a mistake, not a receiver. */
  static final int MAX_LENGTH = 2_048;

  private static final int MAX_PORT = 65_535;

  /** A URL that cannot be read; the reason says what is wanted. */
  static final class MalformedUrl extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    MalformedUrl(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  private UrlParser() {}

  static Target parse(String url) throws MalformedUrl {
    if (url.length() > MAX_LENGTH) {
      throw new MalformedUrl(
          "the URL has %d characters; at most %d are allowed".formatted(url.length(), MAX_LENGTH));
    }
    requirePlain(url);
    boolean tls = url.regionMatches(true, 0, "https://", 0, "https://".length());
    if (!tls && !url.regionMatches(true, 0, "http://", 0, "http://".length())) {
      throw new MalformedUrl("the URL must begin with https:// or http://");
    }
    int start = url.indexOf("://") + "://".length();
    int end = endOfAuthority(url, start);
    String rest = url.substring(end);
    return target(tls, url.substring(start, end), rest.startsWith("/") ? rest : "/" + rest);
  }

  private static void requirePlain(String url) throws MalformedUrl {
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (c <= ' ' || c > '~' || c == '\\' || c == '#') {
        throw new MalformedUrl(
            "the URL holds U+%04X at %d; wanted visible ASCII without backslash or fragment"
                    .formatted((int) c, i)
                + " (a name in another script as xn--…, the rest percent-encoded)");
      }
    }
  }

  private static int endOfAuthority(String url, int start) {
    int end = start;
    while (end < url.length() && url.charAt(end) != '/' && url.charAt(end) != '?') {
      end++;
    }
    return end;
  }

  private static Target target(boolean tls, String authority, String path) throws MalformedUrl {
    if (authority.indexOf('@') >= 0) {
      throw new MalformedUrl("the URL holds a user name; put credentials into a header instead");
    }
    int bracket = authority.lastIndexOf(']');
    int colon = authority.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? authority : authority.substring(0, colon);
    int port = port(colon < 0 ? null : authority.substring(colon + 1), tls);
    if (bracket >= 0) {
      return literal(tls, ipv6(host), port, path);
    }
    String name = host.toLowerCase(Locale.ROOT);
    name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (Hosts.looksLikeIpv4(name)) {
      return literal(tls, require(Hosts.ipv4(name), name), port, path);
    }
    if (!Hosts.isName(name)) {
      throw new MalformedUrl("%s is no host name".formatted(host));
    }
    return new Target(tls, name, port, path, null);
  }

  private static Target literal(boolean tls, InetAddress address, int port, String path) {
    return new Target(tls, address.getHostAddress(), port, path, address);
  }

  private static InetAddress ipv6(String host) throws MalformedUrl {
    boolean enclosed = host.startsWith("[") && host.endsWith("]");
    return require(enclosed ? Hosts.ipv6(host.substring(1, host.length() - 1)) : null, host);
  }

  private static InetAddress require(@Nullable InetAddress address, String host)
      throws MalformedUrl {
    if (address == null) {
      throw new MalformedUrl("%s looks like an IP address and is none".formatted(host));
    }
    return address;
  }

  private static int port(@Nullable String digits, boolean tls) throws MalformedUrl {
    if (digits == null) {
      return tls ? Target.HTTPS_PORT : Target.HTTP_PORT;
    }
    int port = 0;
    for (int i = 0; i < digits.length() && port <= MAX_PORT; i++) {
      int digit = digits.charAt(i) - '0';
      port = digit < 0 || digit > 9 ? MAX_PORT + 1 : port * 10 + digit;
    }
    if (port < 1 || port > MAX_PORT) {
      throw new MalformedUrl("port %s: wanted a number of 1 to %d".formatted(digits, MAX_PORT));
    }
    return port;
  }
}
