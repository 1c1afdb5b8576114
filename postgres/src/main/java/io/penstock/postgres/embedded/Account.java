package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Under which user Postgres's programs run. Postgres refuses root. Root therefore starts them in a
 * user namespace in which it is somebody else (the files stay root's), or, where the kernel or a
 * container does not allow that, as an existing system user, to whom the data then belongs.
 *
 * @param prefix the words before the program
 * @param owner to whom the data must belong; null = to whoever runs Penstock
 */
record Account(List<String> prefix, @Nullable String owner) {
  /** Any user but root: what it is called outside of the namespace stays root. */
  private static final String INSIDE = "1000";

  private static final Path USERS = Path.of("/etc/passwd");
  private static final Path SELF = Path.of("/proc/self/status");
  private static final int NAME_FIELD = 0;
  private static final int UID_FIELD = 2;
  private static final int GID_FIELD = 3;

  /** Whoever runs Penstock, when that is not root. */
  static final Account SAME = new Account(List.of(), null);

  /** Older versions of unshare know no mapping; without one the user inside is nobody, as good. */
  static final List<Account> NAMESPACES =
      List.of(
          new Account(
              List.of("unshare", "--user", "--map-user=" + INSIDE, "--map-group=" + INSIDE, "--"),
              null),
          new Account(List.of("unshare", "--user", "--"), null));

  /**
   * The first that works here.
   *
   * @param data the data directory, which decides when it exists: its owner must go on with it
   */
  static Account find(Bundle bundle, Path data) throws IOException {
    if (!root()) {
      return SAME;
    }
    List<Account> candidates = candidates(data);
    for (Account candidate : candidates) {
      if (candidate.works(bundle)) {
        return candidate;
      }
    }
    throw new EmbeddedPostgresException(
        """
        Postgres does not run as root, and no other way worked here. Tried: %s.
        Do one of these: run Penstock as a user that is not root; allow user namespaces \
        (Docker: --security-opt seccomp=unconfined); install util-linux, add a user named postgres, and put \
        the data where that user may enter (each folder above %s needs the x bit for others); \
        or use a database of your own by PENSTOCK_DATABASE_URL.\
        """
            .formatted(candidates.stream().map(a -> String.join(" ", a.prefix())).toList(), data));
  }

  private static List<Account> candidates(Path data) throws IOException {
    List<Account> all = new ArrayList<>();
    Optional<String> owner =
        Files.exists(data) ? Optional.of(Files.getOwner(data).getName()) : Optional.empty();
    if (owner.isPresent() && !owner.get().equals("root")) {
      systemUser(owner.get()).ifPresent(all::add);
      return all;
    }
    all.addAll(NAMESPACES);
    systemUser("postgres").ifPresent(all::add);
    systemUser("nobody").ifPresent(all::add);
    return all;
  }

  /** An existing user of this system, by setpriv; empty when there is none of that name. */
  static Optional<Account> systemUser(String name) throws IOException {
    for (String line : Files.readAllLines(USERS)) {
      String[] fields = line.split(":", -1);
      if (fields.length > GID_FIELD && fields[NAME_FIELD].equals(name)) {
        return Optional.of(
            new Account(
                List.of(
                    "setpriv",
                    "--reuid=" + fields[UID_FIELD],
                    "--regid=" + fields[GID_FIELD],
                    "--clear-groups",
                    "--"),
                name));
      }
    }
    return Optional.empty();
  }

  /** The command as this user. */
  List<String> command(Path program, List<String> arguments) {
    List<String> words = new ArrayList<>(prefix);
    words.add(program.toString());
    words.addAll(arguments);
    return words;
  }

  /** Makes what exists at {@code path} belong to this user. */
  void own(Path path) throws IOException {
    if (owner == null || Files.getOwner(path).getName().equals(owner)) {
      return;
    }
    UserPrincipal user =
        path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
    Folders.give(path, user);
  }

  private boolean works(Bundle bundle) {
    // The version is told to root as well, so a namespace that changes nothing is caught by id.
    List<String> probe = new ArrayList<>(prefix);
    probe.addAll(
        List.of(
            "sh",
            "-c",
            "test \"$(id -u)\" != 0 && \"$0\" --version",
            bundle.program("postgres").toString()));
    return Programs.run(probe).code() == 0;
  }

  private static boolean root() throws IOException {
    return Files.readAllLines(SELF).stream()
        .filter(line -> line.startsWith("Uid:"))
        .map(line -> line.split("\\s+", -1))
        .anyMatch(fields -> fields[2].equals("0")); // Uid: real, effective, …
  }
}
