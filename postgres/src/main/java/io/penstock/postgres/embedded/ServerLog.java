package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Postgres's own log: one file, and the one before it. */
record ServerLog(Path file) {
  /** Bytes of a full file; there are at most two. */
  private static final long MOST = 8 << 20;

  /** Bytes of it that an error message shows. */
  private static final int TAIL = 4 << 10;

  /** Makes the file ready for a start, and tells where that start's lines will begin. */
  long begin() throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    trim();
    return Files.size(file);
  }

  /**
   * Moves a full file's lines aside. Copied and cut rather than renamed, since Postgres keeps it
   * open; it appends, so that it goes on at the new end.
   */
  void trim() throws IOException {
    if (Files.size(file) > MOST) {
      Files.copy(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
      try (SeekableByteChannel channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }
    }
  }

  /** The last lines written since {@code begin}, for a person. */
  String since(long begin) {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      long size = channel.size();
      channel.position(Math.clamp(size - TAIL, Math.min(begin, size), size));
      ByteBuffer tail = ByteBuffer.allocate(TAIL);
      while (tail.hasRemaining() && channel.read(tail) >= 0) {
        // Until full or at the end.
      }
      return new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }
}
