package io.penstock.push.outbound;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How requests leave the node.
 *
 * @param userAgent sent unless the destination sets its own
 * @param connect for one address to accept a connection, and again for its TLS handshake
 * @param firstByte for the answer to begin once the request is written; null = as long as the
 *     call's own deadline
 * @param connections open at once; at least as many as the node has slots, because a call that
 *     finds none free is given back unsent
 * @param connectionsPerHost of these, to one scheme, host and port
 * @param timeToLive of a connection, so that changed addresses are noticed
 * @param idle how long an unused connection is kept when the receiver does not say
 * @param tls trusted certificates and own keys; null = the JDK's
 */
public record OutboundSettings(
    String userAgent,
    Duration connect,
    @Nullable Duration firstByte,
    int connections,
    int connectionsPerHost,
    Duration timeToLive,
    Duration idle,
    @Nullable SSLContext tls) {

  /** The defaults, for a version of Penstock. */
  public static OutboundSettings ofVersion(String version) {
    return new OutboundSettings(
        "Penstock/" + version,
        Duration.ofSeconds(5),
        null,
        4_096,
        4_096,
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        null);
  }
}
