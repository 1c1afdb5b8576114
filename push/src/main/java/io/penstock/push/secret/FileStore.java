package io.penstock.push.secret;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** {@code file:/path}: the content of a file, without blanks around it. */
public final class FileStore implements SecretStore {
  /** A larger file is no secret but a mistake. */
  private static final int MAX_BYTES = 64 * 1024;

  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public SecretAnswer fetch(String reference, String name) {
    try {
      Path path = Path.of(name);
      return path.isAbsolute()
          ? read(reference, path)
          : new SecretAnswer.Absent("%s: the path must be absolute".formatted(reference));
    } catch (InvalidPathException _) {
      return new SecretAnswer.Absent("%s: this is no path".formatted(reference));
    } catch (NoSuchFileException _) {
      return new SecretAnswer.Absent("%s: there is no such file".formatted(reference));
    } catch (AccessDeniedException _) {
      return new SecretAnswer.Absent("%s: the file may not be read".formatted(reference));
    } catch (IOException e) {
      return new SecretAnswer.Silent(
          "%s: the file cannot be read (%s)".formatted(reference, e.getClass().getSimpleName()));
    }
  }

  private static SecretAnswer read(String reference, Path path) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    if (bytes.length > MAX_BYTES || text.isEmpty()) {
      return new SecretAnswer.Absent(
          "%s: the file holds %s; wanted a secret of 1 to %d bytes"
              .formatted(reference, text.isEmpty() ? "nothing" : "more", MAX_BYTES));
    }
    return new SecretAnswer.Present(new Secret(reference, text.getBytes(StandardCharsets.UTF_8)));
  }
}
