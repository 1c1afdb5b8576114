package io.penstock.server.wiring;

import io.penstock.engine.limits.Limits;
import io.penstock.server.auth.KeyText;
import io.penstock.server.config.ConfigException;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A whole installation on this machine for one user: embedded Postgres, loopback only, receivers on
 * loopback allowed, and a key made at each start. What {@code dev} and {@code demo} run.
 */
public final class LocalServer {
  private final PenstockServer server;
  private final KeyText key;

  private LocalServer(PenstockServer server, KeyText key) {
    this.server = server;
    this.key = key;
  }

  /** The settings that make a server local; a database that the environment names is ignored. */
  public static Map<Setting, String> settings() {
    Map<Setting, String> local = new EnumMap<>(Setting.class);
    local.put(Setting.EMBEDDED, "true");
    local.put(Setting.DATABASE_URL, "");
    local.put(Setting.EGRESS_ALLOW, "127.0.0.0/8,::1/128,localhost");
    local.put(Setting.METRICS_ACCESS, "open");
    return local;
  }

  /**
   * Starts it and returns when it answers.
   *
   * @param name of its key; earlier keys of the name end
   */
  public static LocalServer start(Settings settings, Limits limits, String name) {
    ServerConfig config = ServerConfig.from(settings);
    requireLoopback(config.http().host());
    LedgerHome home = LedgerHome.open(config);
    PenstockServer server;
    try {
      home.migrate();
      server = new PenstockServer(config, limits, home);
    } catch (RuntimeException e) {
      home.close();
      throw e;
    }
    try {
      server.start();
      return new LocalServer(server, FirstKey.replace(server.keys(), name, server.random()));
    } catch (RuntimeException e) {
      server.stop();
      throw e;
    }
  }

  private static void requireLoopback(String host) {
    try {
      if (!InetAddress.getByName(host).isLoopbackAddress()) {
        throw new ConfigException(
            "listen: wanted a loopback address such as 127.0.0.1, got %s; penstock serve listens"
                    .formatted(host)
                + " elsewhere");
      }
    } catch (UnknownHostException e) {
      throw new ConfigException("listen: the host %s is not known".formatted(host), e);
    }
  }

  public URI url() {
    return server.url();
  }

  /** The key of this start; nobody else has it. */
  public KeyText key() {
    return key;
  }

  /** Stops everything; what was still in flight then. */
  public int stop() {
    return server.stop();
  }
}
