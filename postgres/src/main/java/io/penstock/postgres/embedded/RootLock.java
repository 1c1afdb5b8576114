package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One server at a time per data folder. The lock is the kernel's, so it goes with the process,
 * however that ends.
 */
final class RootLock implements AutoCloseable {
  // The kernel forgets a process's lock when any channel to the file is closed, so a second start
  // in the same process must be refused before it opens one.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private RootLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static RootLock take(Path root) throws IOException {
    Path file = root.resolve("lock");
    if (!HELD_HERE.add(file)) {
      throw busy(root, "this process");
    }
    boolean taken = false;
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        String pid = Files.readString(file).strip(); // not yet there in its first moment
        throw busy(root, pid.isEmpty() ? "another process" : "process " + pid);
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      taken = true;
      return new RootLock(file, channel);
    } finally {
      if (!taken) {
        channel.close();
        HELD_HERE.remove(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    HELD_HERE.remove(file);
  }

  private static EmbeddedPostgresException.InUse busy(Path root, String holder) {
    return new EmbeddedPostgresException.InUse(
        "the embedded Postgres in %s is already run by %s. Stop that one first, or give this one a data folder of its own."
            .formatted(root, holder));
  }
}
