package io.penstock.postgres.embedded;

import io.penstock.budget.SystemAccess;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * How to run the embedded Postgres.
 *
 * @param root the folder that holds its data, password and log; made when absent
 * @param binaries the folder in which the binaries are unpacked, once per version
 * @param port on the loopback address; 0 = any free one, kept for as long as the handle lives
 * @param durable false switches fsync and synchronous commit off: for tests only
 * @param listener called at each change of state, on the thread that saw it; must be quick
 * @param nanoClock a monotonic clock in nanoseconds
 */
public record EmbeddedOptions(
    Path root,
    Path binaries,
    int port,
    boolean durable,
    Consumer<PostgresStatus> listener,
    LongSupplier nanoClock) {

  private static final int LARGEST_PORT = 65_535;

  public EmbeddedOptions {
    if (port < 0 || port > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "port of the embedded Postgres: wanted 0 (any free one) to "
              + LARGEST_PORT
              + ", got "
              + port);
    }
    root = root.toAbsolutePath().normalize();
    binaries = binaries.toAbsolutePath().normalize();
  }

  /** Durable, any free port, everything below {@code root}. */
  @SystemAccess("the launcher's own waits are measured by the system's monotonic clock")
  public static EmbeddedOptions under(Path root) {
    return new EmbeddedOptions(root, root, 0, true, EmbeddedOptions::log, System::nanoTime);
  }

  /** The same with a fixed port. */
  public EmbeddedOptions withPort(int fixed) {
    return new EmbeddedOptions(root, binaries, fixed, durable, listener, nanoClock);
  }

  /** The same with binaries that several data folders share. */
  public EmbeddedOptions withBinaries(Path shared) {
    return new EmbeddedOptions(root, shared, port, durable, listener, nanoClock);
  }

  /** The same without durability: a crash of the machine may lose or break everything. */
  public EmbeddedOptions withoutDurability() {
    return new EmbeddedOptions(root, binaries, port, false, listener, nanoClock);
  }

  /** The same with somebody who wants to know. */
  public EmbeddedOptions withListener(Consumer<PostgresStatus> wanted) {
    return new EmbeddedOptions(root, binaries, port, durable, wanted, nanoClock);
  }

  private static void log(PostgresStatus status) {
    LoggerFactory.getLogger(EmbeddedPostgres.class).info("{}", status.sentence());
  }
}
