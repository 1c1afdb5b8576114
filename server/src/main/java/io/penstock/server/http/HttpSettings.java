package io.penstock.server.http;

/**
 * Where and how widely to listen.
 *
 * @param host an address or name of this machine; loopback by default
 * @param port 0 to 65535; 0 = any free one
 * @param inFlightBytes most bytes that the bodies of all requests in flight may hold
 */
public record HttpSettings(String host, int port, long inFlightBytes) {

  /** Eight of the greatest batches, or a quarter of a million small events. */
  public static final long DEFAULT_IN_FLIGHT_BYTES = 64L << 20;

  public HttpSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("listen: wanted a port of 0 to 65535, got " + port);
    }
    if (host.isBlank()) {
      throw new IllegalArgumentException("listen: wanted host:port, got no host");
    }
    if (inFlightBytes < 1 << 20) {
      throw new IllegalArgumentException(
          "http.in_flight_bytes: wanted 1,048,576 bytes or more, got %,d".formatted(inFlightBytes));
    }
  }
}
