package io.penstock.server.limits;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when anything changes in the folder of a file: the file itself, or a symbolic link beside
 * it that leads to it, as orchestrators swap them. A hint only; where the system has no such watch
 * the file is polled. Close ends its thread.
 */
public final class DirectoryWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);

  private final @Nullable WatchService watch;
  private final Runnable changed;

  private DirectoryWatch(@Nullable WatchService watch, Runnable changed) {
    this.watch = watch;
    this.changed = changed;
  }

  /**
   * Begins to watch; a folder that cannot be watched is logged and polled only.
   *
   * @param changed called on the watch's thread; must not block
   */
  public static DirectoryWatch of(Path file, Runnable changed) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      WatchService watch = file.getFileSystem().newWatchService();
      if (folder != null) {
        folder.register(
            watch,
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_MODIFY,
            StandardWatchEventKinds.ENTRY_DELETE);
      }
      return new DirectoryWatch(watch, changed);
    } catch (IOException | UnsupportedOperationException e) {
      log.info("limits: {} cannot be watched and is polled only: {}", folder, e.toString());
      return new DirectoryWatch(null, changed);
    }
  }

  /** Waits for changes and tells of them until it is closed or interrupted. */
  public void run() {
    if (watch == null) {
      return;
    }
    try {
      while (true) {
        WatchKey key = watch.take();
        key.pollEvents();
        changed.run();
        if (!key.reset()) {
          return; // the folder is gone; polling goes on
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ClosedWatchServiceException _) {
      // closed: nothing more to tell
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      try {
        watch.close();
      } catch (IOException e) {
        log.debug("limits: the watch could not be closed", e);
      }
    }
  }
}
