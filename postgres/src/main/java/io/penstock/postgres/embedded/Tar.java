package io.penstock.postgres.embedded;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Reads the part of the tar format that the Postgres bundles use: files, folders and relative
 * symbolic links with names of up to 100 bytes. Anything else is refused rather than guessed, and
 * nothing is ever written outside the target folder.
 */
final class Tar {
  private static final int BLOCK = 512;
  private static final int NAME_AT = 0;
  private static final int NAME_LENGTH = 100;
  private static final int MODE_AT = 100;
  private static final int MODE_LENGTH = 8;
  private static final int SIZE_AT = 124;
  private static final int SIZE_LENGTH = 12;
  private static final int TYPE_AT = 156;
  private static final int LINK_AT = 157;
  private static final int PREFIX_AT = 345;
  private static final int OWNER_MAY_EXECUTE = 0100;

  /** Bytes in all; the bundle has 60 MB, and a damaged size field must not fill the disk. */
  private static final long MOST_BYTES = 512L << 20;

  private final InputStream in;
  private final Path target;
  private long budget = MOST_BYTES;

  private Tar(InputStream in, Path target) {
    this.in = in;
    this.target = target;
  }

  /** Unpacks everything from {@code in} into the existing folder {@code target}. */
  static void extract(InputStream in, Path target) throws IOException {
    Tar tar = new Tar(in, target.toRealPath());
    byte[] header = tar.block();
    while (header[NAME_AT] != 0) { // an empty block ends the archive
      tar.entry(header);
      header = tar.block();
    }
  }

  private void entry(byte[] header) throws IOException {
    String name = text(header, NAME_AT, NAME_LENGTH);
    if (header[PREFIX_AT] != 0) {
      throw new IOException("tar: a name longer than 100 bytes is not supported: …/" + name);
    }
    Path path = inside(name);
    long size = octal(header, SIZE_AT, SIZE_LENGTH);
    switch (header[TYPE_AT]) {
      case '5' -> Files.createDirectories(path);
      case '2' -> link(path, text(header, LINK_AT, NAME_LENGTH));
      case '0' -> file(path, size, octal(header, MODE_AT, MODE_LENGTH));
      default ->
          throw new IOException(
              "tar: type '" + (char) header[TYPE_AT] + "' of " + name + " is not supported");
    }
  }

  private Path inside(String name) throws IOException {
    Path path = target.resolve(name).normalize();
    if (!path.startsWith(target)) {
      throw new IOException("tar: the name " + name + " points outside the folder");
    }
    return path;
  }

  /** A parent that is itself a symbolic link could lead a later entry outside. */
  private void parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException("tar: an entry without a name");
    }
    Files.createDirectories(parent);
    if (!parent.toRealPath().equals(parent)) {
      throw new IOException("tar: " + path + " would be written through a symbolic link");
    }
  }

  private void link(Path path, String to) throws IOException {
    parent(path);
    if (to.startsWith("/") || !path.resolveSibling(to).normalize().startsWith(target)) {
      throw new IOException("tar: the link " + path + " points outside the folder, to " + to);
    }
    Files.createSymbolicLink(path, Path.of(to));
  }

  private void file(Path path, long size, long mode) throws IOException {
    parent(path);
    budget -= size;
    if (size < 0 || budget < 0) {
      throw new IOException("tar: more than " + MOST_BYTES + " bytes, at " + path);
    }
    try (OutputStream out =
        Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      copy(size, out);
    }
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    boolean executable = (mode & OWNER_MAY_EXECUTE) != 0;
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private void copy(long size, OutputStream out) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = size;
    while (left > 0) {
      int got = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (got < 0) {
        throw new EOFException("tar: the archive ends in the middle of a file");
      }
      out.write(buffer, 0, got);
      left -= got;
    }
  }

  private byte[] block() throws IOException {
    byte[] block = in.readNBytes(BLOCK);
    if (block.length < BLOCK) {
      throw new EOFException("tar: the archive ends without its closing block");
    }
    return block;
  }

  private static String text(byte[] header, int at, int length) {
    int end = at;
    while (end < at + length && header[end] != 0) {
      end++;
    }
    return new String(header, at, end - at, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int at, int length) throws IOException {
    String digits = text(header, at, length).strip();
    try {
      return Long.parseLong(digits, 8);
    } catch (NumberFormatException notOctal) {
      throw new IOException("tar: not an octal number: " + digits, notOctal);
    }
  }
}
