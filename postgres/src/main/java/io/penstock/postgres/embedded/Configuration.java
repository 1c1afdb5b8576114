package io.penstock.postgres.embedded;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The {@code postgresql.conf} that the launcher writes at each start, for a machine of 2 cores and
 * a few GB that also runs the server. An operator's own {@code postgresql.local.conf} beside the
 * data directory is read last and wins.
 */
final class Configuration {
  /** Read last; beside the data directory, so that the launcher never overwrites it. */
  static final String LOCAL = "postgresql.local.conf";

  /** The launcher's server needs about 20; the rest is for an operator and for tests. */
  private static final int CONNECTIONS = 60;

  private Configuration() {}

  private record Setting(String name, String value, String why) {
    String line() {
      return "%s = '%s'  # %s".formatted(name, value, why);
    }
  }

  /** The whole file. The same arguments give the same text: an orphan is adopted only under it. */
  static String text(int port, boolean durable) {
    return Stream.of(reach(port), safety(durable), memory(), habits())
        .flatMap(settings -> settings)
        .map(Setting::line)
        .collect(
            Collectors.joining(
                "\n",
                "# Written by Penstock at each start. Your own settings go into ../" + LOCAL + "\n",
                "\ninclude_if_exists = '../" + LOCAL + "'\n"));
  }

  private static Stream<Setting> reach(int port) {
    return Stream.of(
        new Setting("listen_addresses", "127.0.0.1", "this machine only"),
        new Setting("port", Integer.toString(port), "kept while the server runs"),
        new Setting("unix_socket_directories", "", "JDBC speaks TCP"),
        new Setting("max_connections", Integer.toString(CONNECTIONS), "each costs memory"),
        new Setting("password_encryption", "scram-sha-256", "the only way in"));
  }

  private static Stream<Setting> safety(boolean durable) {
    String on = durable ? "on" : "off";
    return Stream.of(
        new Setting("fsync", on, "a 2xx means that the row is on the disk"),
        new Setting("synchronous_commit", on, "and not only on its way there"),
        new Setting("recovery_init_sync_method", "syncfs", "seconds less than 1,000 fsyncs"),
        new Setting("full_page_writes", on, "a torn page must be repairable"));
  }

  private static Stream<Setting> memory() {
    return Stream.of(
        new Setting("shared_buffers", "256MB", "the hot tables and their indexes stay at 60 MB"),
        new Setting("effective_cache_size", "1GB", "a hint to the planner, not an allocation"),
        new Setting("work_mem", "16MB", "per sort; a claim sorts about 500 rows"),
        new Setting("maintenance_work_mem", "64MB", "vacuum of the hot tables in one pass"),
        new Setting("max_wal_size", "2GB", "fewer full-page images; replay after a crash < 20 s"),
        new Setting("min_wal_size", "256MB", "recycle segments instead of making new ones"),
        new Setting("checkpoint_timeout", "10min", "the same"),
        new Setting("wal_compression", "off", "pglz costs more CPU than it saves; no lz4 here"),
        new Setting("max_parallel_workers_per_gather", "0", "no report takes both cores"),
        new Setting("jit", "off", "statements are short"),
        new Setting("random_page_cost", "1.1", "solid-state disks"),
        new Setting("max_locks_per_transaction", "128", "partitions: 7 days times 3 tables"));
  }

  private static Stream<Setting> habits() {
    return Stream.of(
        new Setting("timezone", "UTC", "times are instants"),
        new Setting("log_timezone", "UTC", "the same"),
        new Setting("datestyle", "ISO", "the same"),
        new Setting("lc_messages", "C", "messages in English"),
        new Setting("log_line_prefix", "%m [%p] %a ", "when, which backend, which program"),
        new Setting("log_checkpoints", "off", "nothing to do about them"),
        new Setting("log_min_error_statement", "panic", "statements may hold customers data"),
        new Setting("autovacuum_naptime", "10s", "queue tables change all the time"));
  }
}
