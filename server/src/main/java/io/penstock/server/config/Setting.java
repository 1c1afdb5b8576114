package io.penstock.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The server's settings: one table of key, default and meaning. The name in the environment is
 * {@code PENSTOCK_} and the key in capitals with underscores.
 */
public enum Setting {
  LISTEN("listen", "127.0.0.1:8420", "host:port of the HTTP API"),
  DATABASE_URL(
      "database.url",
      "",
      "postgres:// or jdbc:postgresql:// URL of the ledger; also read from DATABASE_URL"),
  DATABASE_DIRECT_URL(
      "database.direct_url",
      "",
      "the same without a pooler between, for LISTEN and migrations; default: database.url"),
  DATABASE_MAINTENANCE_URL(
      "database.maintenance_url",
      "",
      "the same as the owner of the tables, for migrations and retention; default:"
          + " database.direct_url (see penstock roles)"),
  DATABASE_CONNECTIONS("database.connections", "10", "connections of the pool, 2 to 200"),
  DATABASE_POOLER(
      "database.pooler", "false", "true when database.url leads through PgBouncer or the like"),
  EMBEDDED("embedded", "false", "true runs a Postgres of our own below data_dir"),
  DATA_DIR("data_dir", "penstock-data", "folder of the embedded Postgres and of generated keys"),
  LIMITS_FILE("limits_file", "limits.yaml", "the operators' limits; may be absent"),
  SECRETS_DIR("secrets_dir", "", "folder of generated signing keys; default: data_dir/secrets"),
  EGRESS_ALLOW(
      "egress.allow",
      "",
      "addresses (CIDR) and host names that the guard lets out besides public ones"),
  EGRESS_PORTS("egress.ports", "", "ports that are dialled; default: 80, 443, 1024-65535"),
  NODE_SLOTS("node.slots", "512", "deliveries in flight at once on this node, 1 to 100,000"),
  JOBS_LEASE("jobs.lease", "30s", "how long a worker holds a job without a renewal, 1s to 30s"),
  JOBS_TEST_FASTER(
      "jobs.test_faster",
      "1",
      "for benches only: divides every time of worker-seconds and jobs.lease, 1 to 1,000"),
  NODE_GRACE("node.grace", "20s", "how long a stop waits for what is in flight"),
  HTTP_IN_FLIGHT_BYTES(
      "http.in_flight_bytes", "64MiB", "bytes that the bodies of all requests may hold at once"),
  BOUNDS_BODY_BYTES("bounds.body_bytes", "256KiB", "bytes of one event's payload"),
  BOUNDS_BATCH_ITEMS("bounds.batch_items", "1000", "events of one batch"),
  BOUNDS_BATCH_BYTES("bounds.batch_bytes", "8MiB", "bytes of one batch"),
  BOUNDS_HEADER_BYTES("bounds.header_bytes", "16KiB", "bytes of one event's own headers"),
  METRICS_ACCESS("metrics.access", "key", "who may scrape /metrics: key (operator) or open"),
  NOTICES_URL(
      "notices.url",
      "",
      "where signed notices go (parked, held, disabled, recovered, ...); empty = nowhere"),
  NOTICES_SECRET(
      "notices.secret", "", "where the key is that signs notices: env:NAME or file:/path"),
  NOTICES_WINDOW(
      "notices.window",
      "10s",
      "how long a notice waits: what heals within it is not told, a swarm is told at once; 0s to 1h");

  private static final Map<String, Setting> BY_KEY =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(Setting::key, Function.identity()));

  private final String key;
  private final String fallback;
  private final String meaning;

  Setting(String key, String fallback, String meaning) {
    this.key = key;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /** The key in penstock.yaml, dotted. */
  public String key() {
    return key;
  }

  /** The default, as it would be written. */
  public String fallback() {
    return fallback;
  }

  /** What it is, in a line. */
  public String meaning() {
    return meaning;
  }

  /** The names in the environment, the first one that is set counts. */
  public List<String> variables() {
    String own = "PENSTOCK_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
    return this == DATABASE_URL ? List.of(own, "DATABASE_URL") : List.of(own);
  }

  /** Whether it is for benches: not shown to people who did not set it. */
  public boolean isForTests() {
    return this == JOBS_TEST_FASTER;
  }

  /** Whether it holds a secret: masked when shown, and readable from a file named by NAME_FILE. */
  public boolean isSecret() {
    return this == DATABASE_URL || this == DATABASE_DIRECT_URL || this == DATABASE_MAINTENANCE_URL;
  }

  /** All settings by their keys. */
  public static Map<String, Setting> byKey() {
    return BY_KEY;
  }
}
