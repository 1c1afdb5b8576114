package io.penstock.server.destination;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Makes signing keys. The key goes into a file that only this user can read; the ledger holds the
 * reference to it. Safe for use by many threads.
 */
public final class SigningSecrets {
  /** As long as the digest that it keys; Standard Webhooks allows 24 to 64. */
  private static final int KEY_BYTES = 32;

  private final Path folder;
  private final RandomGenerator random;

  /**
   * @param folder where the files go; made when it is needed
   * @param random fit for secrets
   */
  public SigningSecrets(Path folder, RandomGenerator random) {
    this.folder = folder.toAbsolutePath().normalize();
    this.random = random;
  }

  /** A key, to be shown once, and what the ledger keeps of it. */
  record Made(String key, String reference, Path file) {
    /** Takes it back: nobody refers to it. */
    void discard() {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("could not take back " + file, e);
      }
    }
  }

  /** Makes a key for a destination. */
  Made make(String destinationId) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    String key = "whsec_" + Base64.getEncoder().encodeToString(bytes);
    Path file = folder.resolve(destinationId + "-" + HexFormat.of().toHexDigits(random.nextInt()));
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, key, StandardOpenOption.SYNC);
    } catch (IOException e) {
      throw new UncheckedIOException("could not keep a signing key in " + folder, e);
    }
    return new Made(key, "file:" + file, file);
  }
}
