package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the processes of a data directory: a postmaster and all its children work in it, and
 * nothing else does. A process id alone proves nothing, since ids are used again.
 */
final class Processes {
  private static final Path PROC = Path.of("/proc");

  private Processes() {}

  static boolean worksIn(ProcessHandle process, Path data) {
    return linkIs(process, "cwd", data);
  }

  static boolean runs(ProcessHandle process, Path program) {
    return linkIs(process, "exe", program);
  }

  static List<ProcessHandle> in(Path data) {
    return ProcessHandle.allProcesses().filter(process -> worksIn(process, data)).toList();
  }

  private static boolean linkIs(ProcessHandle process, String link, Path wanted) {
    try {
      Path path = PROC.resolve(Long.toString(process.pid())).resolve(link);
      return Files.readSymbolicLink(path).equals(wanted);
    } catch (IOException e) {
      return false; // gone meanwhile, or somebody else's
    }
  }
}
