package io.penstock.push.guard;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a URL points, in canonical form: the only thing that is ever dialled.
 *
 * @param tls https
 * @param host a lower-case name without a trailing dot, or an address in its usual spelling without
 *     brackets
 * @param port 1 to 65535
 * @param path path and query as they were written; at least {@code /}
 * @param literal the address when the host is one; null when it is a name
 */
public record Target(
    boolean tls, String host, int port, String path, @Nullable InetAddress literal) {
  static final int HTTP_PORT = 80;
  static final int HTTPS_PORT = 443;

  /** {@code http} or {@code https}. */
  public String scheme() {
    return tls ? "https" : "http";
  }

  /** Whether the port is the one that the scheme implies. */
  public boolean onDefaultPort() {
    return port == (tls ? HTTPS_PORT : HTTP_PORT);
  }
}
