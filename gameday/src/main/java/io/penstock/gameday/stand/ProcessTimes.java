package io.penstock.gameday.stand;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Processor time and memory of processes, as the kernel counts them. */
public final class ProcessTimes {
  private static final Path PROC = Path.of("/proc");

  /** Of a clock tick, which Linux shows to programs as a hundredth of a second everywhere. */
  private static final Duration TICK = Duration.ofMillis(10);

  // Fields of /proc/PID/stat, counted from the one after the program's name.
  private static final int USER = 11;
  private static final int CHILDREN_SYSTEM = 14;

  private ProcessTimes() {}

  /** User and system time of the process, with that of children that have ended. */
  public static Duration cpu(long pid) {
    try {
      String stat =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int field = USER; field <= CHILDREN_SYSTEM; field++) {
        ticks += Long.parseLong(fields[field]);
      }
      return TICK.multipliedBy(ticks);
    } catch (IOException gone) {
      return Duration.ZERO;
    }
  }

  /**
   * The same of the process and all its children: of a postmaster, everything that Postgres did.
   */
  public static Duration cpuOfFamily(long pid) {
    try (Stream<ProcessHandle> children = children(pid)) {
      return children.map(child -> cpu(child.pid())).reduce(cpu(pid), Duration::plus);
    }
  }

  private static Stream<ProcessHandle> children(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::children).orElse(Stream.empty());
  }

  /** Resident memory in bytes; 0 when the process has ended. */
  public static long residentBytes(long pid) {
    try (Stream<String> lines = Files.lines(PROC.resolve(Long.toString(pid)).resolve("status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException gone) {
      return 0;
    }
  }
}
