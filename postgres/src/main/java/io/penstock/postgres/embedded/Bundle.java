package io.penstock.postgres.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * The Postgres binaries on the class path, unpacked once per version. The folder is named after the
 * archive's hash and appears by an atomic rename, so that whoever finds it finds it whole.
 */
final class Bundle {
  /** What the bundled binaries are; a data directory of another major version is refused. */
  static final String MAJOR_VERSION = "18";

  private static final String UNPACKING = "unpacking-";

  /** Hex digits of the hash in the folder's name: enough to tell versions apart. */
  private static final int NAME_DIGITS = 12;

  private final Path home;

  private Bundle(Path home) {
    this.home = home;
  }

  /** A program of the bundle: {@code initdb}, {@code pg_ctl} or {@code postgres}; no others. */
  Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /** The folder of this machine's binaries below {@code cache}, unpacked if need be. */
  static Bundle unpack(Path cache, Consumer<PostgresStatus> listener) {
    String archive = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
    try {
      Files.createDirectories(cache);
      return new Bundle(unpack(archive, cache.toRealPath(), listener));
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          "could not unpack the Postgres binaries into "
              + cache
              + ": "
              + e.getMessage()
              + ". The folder needs about 70 MB and must be writable.",
          e);
    }
  }

  static String archive(String system, String machine) {
    String name =
        switch (machine) {
          case "amd64", "x86_64" -> "/postgres-linux-x86_64.txz";
          case "aarch64", "arm64" -> "/postgres-linux-arm_64.txz";
          default -> "";
        };
    if (!system.toLowerCase(Locale.ROOT).contains("linux") || name.isEmpty()) {
      throw new EmbeddedPostgresException(
          "the embedded Postgres is there for Linux on amd64 and arm64; this is %s on %s. Start with a database of your own: PENSTOCK_DATABASE_URL=jdbc:postgresql://…"
              .formatted(system, machine));
    }
    return name;
  }

  // One thread at a time in this process; other processes are told apart by their id below.
  private static synchronized Path unpack(
      String archive, Path cache, Consumer<PostgresStatus> listener) throws IOException {
    Path home = cache.resolve("postgres-" + MAJOR_VERSION + "-" + hash(archive));
    if (Files.isDirectory(home)) {
      return home;
    }
    listener.accept(new PostgresStatus.Preparing("unpacking the Postgres binaries"));
    sweep(cache);
    Path partial = cache.resolve(UNPACKING + ProcessHandle.current().pid());
    Files.createDirectory(partial);
    try {
      try (InputStream xz = new XZInputStream(new BufferedInputStream(open(archive)))) {
        Tar.extract(xz, partial);
      }
      rename(partial, home);
    } finally {
      Folders.delete(partial);
    }
    return home;
  }

  private static void rename(Path partial, Path home) throws IOException {
    try {
      Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(home)) { // otherwise another process was quicker: its copy is as good
        throw e;
      }
    }
  }

  /** Removes what processes that died while unpacking have left. */
  private static void sweep(Path cache) throws IOException {
    try (Stream<Path> entries = Files.list(cache)) {
      for (Path entry : entries.filter(Bundle::abandoned).toList()) {
        Folders.delete(entry);
      }
    }
  }

  private static boolean abandoned(Path entry) {
    String name = String.valueOf(entry.getFileName());
    if (!name.matches(UNPACKING + "\\d{1,18}")) {
      return false;
    }
    long pid = Long.parseLong(name.substring(UNPACKING.length()));
    return pid == ProcessHandle.current().pid() || ProcessHandle.of(pid).isEmpty();
  }

  private static String hash(String archive) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(open(archive), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest()).substring(0, NAME_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static InputStream open(String archive) throws IOException {
    InputStream in = Bundle.class.getResourceAsStream(archive);
    if (in == null) {
      throw new IOException(archive + " is not on the class path");
    }
    return in;
  }
}
