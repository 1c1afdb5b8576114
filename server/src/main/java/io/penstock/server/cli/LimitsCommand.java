package io.penstock.server.cli;

import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import io.penstock.server.json.Json;
import io.penstock.server.limits.LimitsFile;
import io.penstock.server.limits.LimitsReader;
import io.penstock.server.limits.LimitsText;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Checks, shows, plans and applies the limits. */
@Command(
    name = "limits",
    mixinStandardHelpOptions = true,
    description = {
      "Checks, shows, plans and applies the limits: one file, limits.yaml, which every node obeys",
      "within a second. A node publishes its own file when that changes; apply is for CI."
    },
    synopsisSubcommandLabel = "(check | sample | show | diff | history | plan | apply | rollback)",
    footer = {
      "",
      "Examples:",
      "  penstock limits check limits.yaml        every fault at once, with line and column",
      "  penstock limits plan limits.yaml         what it would have done to the last 24 hours",
      "  penstock limits apply limits.yaml --reason \"ERP asked for less\" --commit 1f3c9a",
      "  penstock limits show dst_9f31c           what holds for one destination now",
      "  penstock limits rollback 41 --reason \"too low\""
    })
final class LimitsCommand {
  private static final String VERSIONS = "/v1/limits/versions/";

  @Spec @Nullable CommandSpec spec;

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Says what is wrong with a limits file: every fault with file, line, column, key, what was",
        "got and what is wanted. Asks no server. Ends with 5 when anything is wrong."
      })
  int check(
      @Parameters(paramLabel = "FILE", description = "The file.") Path file,
      @Option(names = "--json", description = "Print one line of JSON.") boolean json) {
    var out = Output.of(spec);
    LimitsReader.Reading reading;
    try {
      reading = LimitsReader.readAll(file.toString(), text(file));
    } catch (FaultyFileException faulty) {
      if (!json) {
        throw faulty;
      }
      out.println(Json.text(checked(false, faulty.faults())));
      out.flush();
      return ExitCode.CONFIG.code();
    }
    if (json) {
      out.println(Json.text(checked(true, List.of())));
    } else {
      out.println(
          "%s is well: limits of %,d destinations besides the defaults"
              .formatted(file, reading.document().destinations().size()));
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private static Map<String, Object> checked(boolean ok, List<Fault> faults) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("ok", ok);
    all.put("faults", faults.stream().map(Fault::toString).toList());
    return all;
  }

  @Command(
      name = "sample",
      mixinStandardHelpOptions = true,
      description = "Prints a limits file with every key, its default, and what it does.")
  int sample() {
    var out = Output.of(spec);
    out.print(LimitsText.sample());
    out.flush();
    return ExitCode.OK.code();
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Shows the version in force and which node obeys what; with a destination, what holds for it;",
        "with --version-no, that version's text."
      })
  int show(
      @Mixin ApiOptions api,
      @Parameters(
              arity = "0..1",
              paramLabel = "DESTINATION",
              description =
                  "Show only what holds for it, and what is built in where the file says otherwise.")
          @Nullable String destination,
      @Option(names = "--version-no", paramLabel = "N", description = "Show this version.")
          @Nullable Long version) {
    if (destination != null) {
      return api.run(
          client -> client.get("/v1/limits/effective/" + DeliveriesCommand.encoded(destination)),
          LimitsCommand::effective);
    }
    if (version != null) {
      return api.run(client -> client.get(VERSIONS + version), LimitsCommand::whole);
    }
    return api.run(client -> client.get("/v1/limits"), LimitsCommand::inForce);
  }

  private static String effective(JsonNode answer) {
    Table table = new Table("LIMIT", "VALUE", "BUILT IN");
    JsonNode limits = answer.path("limits");
    JsonNode builtIn = answer.path("built_in");
    limits
        .properties()
        .forEach(e ->
            table.row(
                e.getKey(), e.getValue().asString(""), builtIn.path(e.getKey()).asString("")));
    builtIn.properties().stream()
        .filter(e -> !limits.has(e.getKey()))
        .forEach(e -> table.row(e.getKey(), "-", e.getValue().asString("")));
    return "%s under version %s%n%s"
        .formatted(answer.path("destination_id").asString(""), answer.path("version"), table);
  }

  private static String whole(JsonNode version) {
    String head =
        "# version %s, %s, %s, from %s%n# author %s, reviewer %s, commit %s%n# reason: %s%n"
            .formatted(
                version.path("version"),
                version.path("result").asString(""),
                version.path("at").asString(""),
                version.path("source").asString(""),
                orDash(version.path("author")),
                orDash(version.path("reviewer")),
                orDash(version.path("commit")),
                orDash(version.path("reason")));
    return head + version.path("content").asString("");
  }

  private static String inForce(JsonNode answer) {
    StringBuilder out = new StringBuilder();
    if (answer.path("version").asLong() == 0) {
      out.append("No version was made yet: the built-in defaults hold.\n");
    } else {
      out.append(whole(answer.path("in_force"))).append('\n');
    }
    Table table = new Table("NODE", "OBEYS", "COMPLAINT");
    answer
        .path("nodes")
        .forEach(node ->
            table.row(
                node.path("node").asString(""),
                node.path("limits_version").toString(),
                node.path("limits_complaint").asString("").lines().findFirst().orElse("-")));
    return out.append('\n').append(table).toString();
  }

  @Command(
      name = "diff",
      mixinStandardHelpOptions = true,
      description = {
        "Says what a file would change against the version in force, by what holds and not by what",
        "is written: a line per value."
      })
  int diff(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "FILE", description = "The file.") Path file,
      @Option(names = "--from", paramLabel = "N", description = "Against this version instead.")
          @Nullable Long from) {
    String after = text(file);
    LimitsReader.read(file.toString(), after); // told before any server is asked
    return api.run(
        client -> {
          JsonNode before =
              from == null
                  ? client.get("/v1/limits").path("in_force")
                  : client.get(VERSIONS + from);
          String name = "version " + before.path("version");
          Map<String, Object> answer = new LinkedHashMap<>();
          answer.put("from", before.path("version").asLong(0));
          answer.put(
              "changes",
              LimitsText.difference(
                  name, before.path("content").asString(""), file.toString(), after));
          return Json.tree(Json.text(answer));
        },
        answer ->
            answer.path("changes").isEmpty()
                ? "Nothing changes against version " + answer.path("from") + "."
                : lines(answer.path("changes")));
  }

  private static String lines(JsonNode texts) {
    StringBuilder out = new StringBuilder();
    texts.forEach(text -> out.append(text.asString("")).append('\n'));
    return out.toString().stripTrailing();
  }

  @Command(
      name = "history",
      mixinStandardHelpOptions = true,
      description = "Lists the versions, newest first, with who made each, why, and what changed.")
  int history(
      @Mixin ApiOptions api,
      @Option(
              names = "--limit",
              defaultValue = "20",
              paramLabel = "N",
              description = "How many (default: 20, at most 250).")
          int limit,
      @Option(names = "--before", paramLabel = "N", description = "Only versions before this one.")
          @Nullable Long before) {
    String path =
        "/v1/limits/versions?limit=" + limit + (before == null ? "" : "&before=" + before);
    return api.run(client -> client.get(path), LimitsCommand::versions);
  }

  private static String versions(JsonNode page) {
    Table table = new Table("VERSION", "AT", "RESULT", "FROM", "AUTHOR", "REASON", "CHANGES");
    page.path("items")
        .forEach(v ->
            table.row(
                v.path("version").toString(),
                v.path("at").asString(""),
                v.path("result").asString(""),
                v.path("source").asString(""),
                orDash(v.path("author")),
                orDash(v.path("reason")),
                summary(v.path("diff").asString(""))));
    return table.isEmpty() ? "No version was made yet." : table.toString();
  }

  private static String summary(String diff) {
    List<String> lines = diff.lines().toList();
    return switch (lines.size()) {
      case 0 -> "-";
      case 1 -> lines.getFirst();
      default -> "%s (and %,d more)".formatted(lines.getFirst(), lines.size() - 1);
    };
  }

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = {
        "Says what a file would change, and what it would have done to the last 24 hours: how much",
        "would have been held back, the longest wait, quotas spent. Applies nothing. It reckons with",
        "the limits alone, as if every receiver answered at once and well."
      })
  int plan(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "FILE", description = "The file.") Path file) {
    Map<String, Object> body = Map.of("content", text(file), "name", file.toString());
    return api.run(client -> client.post("/v1/limits/plan", body), LimitsCommand::planned);
  }

  private static String planned(JsonNode answer) {
    JsonNode plan = answer.path("plan");
    StringBuilder out = new StringBuilder();
    if (plan.path("changes").isEmpty()) {
      out.append("Nothing changes.\n");
    }
    plan.path("changes")
        .forEach(c ->
            out.append(
                "%s.%s: %s -> %s%n"
                    .formatted(
                        c.path("scope").asString(""),
                        c.path("key").asString(""),
                        c.path("before").asString(""),
                        c.path("after").asString(""))));
    Table table =
        new Table(
            "DESTINATION", "CAME", "HELD BACK", "LONGEST WAIT", "QUOTA SPENT", "STILL WAITING");
    plan.path("destinations")
        .forEach(d ->
            table.row(
                d.path("destination_id").asString(""),
                d.path("admitted").toString(),
                change(d, "held_back"),
                "%ss -> %ss"
                    .formatted(
                        d.at("/before/longest_wait_ms").asLong() / 1_000,
                        d.at("/after/longest_wait_ms").asLong() / 1_000),
                change(d, "quota_hits"),
                change(d, "left")));
    out.append("\nIn the last %s hours:%n".formatted(plan.path("looks_back_hours")));
    out.append(table.isEmpty() ? "Nothing came to what changes." : table.toString()).append('\n');
    if (plan.path("unlooked").asInt() > 0) {
      out.append(
          "%s more destinations change and were not looked at.%n".formatted(plan.path("unlooked")));
    }
    plan.path("destinations")
        .forEach(d -> {
          if (d.has("warning")) {
            out.append(
                "warning: %s: %s%n"
                    .formatted(
                        d.path("destination_id").asString(""), d.path("warning").asString("")));
          }
        });
    notes(answer, out);
    return out.toString().stripTrailing();
  }

  private static String change(JsonNode destination, String figure) {
    return "%s -> %s"
        .formatted(destination.at("/before/" + figure), destination.at("/after/" + figure));
  }

  @Command(
      name = "apply",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a file the version in force, on every node within a second; what CI calls after a",
        "merge. A file that is at fault is refused whole, and the version before it stays (ends with",
        "3). The same text again makes no new version."
      })
  int apply(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "FILE", description = "The file.") Path file,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; kept with the version and in the audit.")
          String reason,
      @Option(
              names = "--author",
              paramLabel = "NAME",
              description = "Who wrote it (default: the key).")
          @Nullable String author,
      @Option(names = "--reviewer", paramLabel = "NAME", description = "Who reviewed it.")
          @Nullable String reviewer,
      @Option(
              names = "--commit",
              paramLabel = "ID",
              description = "Where it stands in your repository.")
          @Nullable String commit,
      @Option(
              names = "--replaces",
              paramLabel = "N",
              description = "Only if version N is in force; else nothing is done (ends with 3).")
          @Nullable Long replaces) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("content", text(file));
    body.put("name", file.toString());
    body.put("reason", reason);
    put(body, "author", author);
    put(body, "reviewer", reviewer);
    put(body, "commit", commit);
    put(body, "replaces", replaces == null ? null : replaces.toString());
    return api.run(client -> client.post("/v1/limits/apply", body), LimitsCommand::applied);
  }

  private static void put(Map<String, Object> body, String key, @Nullable String value) {
    if (value != null) {
      body.put(key, value);
    }
  }

  private static String applied(JsonNode answer) {
    JsonNode version = answer.path("version");
    StringBuilder out = new StringBuilder();
    if (answer.path("changed").asBoolean()) {
      out.append("version %s is in force%n".formatted(version.path("version")));
      version
          .path("diff")
          .asString("")
          .lines()
          .forEach(l -> out.append("  ").append(l).append('\n'));
    } else {
      out.append("version %s says the same and stays%n".formatted(version.path("version")));
    }
    notes(answer, out);
    return out.toString().stripTrailing();
  }

  private static void notes(JsonNode answer, StringBuilder out) {
    answer
        .path("notes")
        .forEach(n ->
            out.append(
                "note: %s:%s:%s: %s: %s%n"
                    .formatted(
                        n.path("file").asString(""),
                        n.path("line"),
                        n.path("column"),
                        n.path("key").asString(""),
                        n.path("message").asString(""))));
  }

  @Command(
      name = "rollback",
      mixinStandardHelpOptions = true,
      description = "Makes an earlier version's text the version in force again, as a new version.")
  int rollback(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "VERSION", description = "The number; limits history lists them.")
          long version,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; kept with the version and in the audit.")
          String reason) {
    return api.run(
        client -> client.post(VERSIONS + version + "/rollback", Map.of("reason", reason)),
        LimitsCommand::applied);
  }

  private static String orDash(JsonNode text) {
    String value = text.asString("");
    return value.isEmpty() ? "-" : value;
  }

  private static String text(Path file) {
    try {
      return new LimitsFile(file)
          .text()
          .orElseThrow(
              () -> new CommandException(ExitCode.USAGE, "there is no file %s".formatted(file)));
    } catch (IOException e) {
      throw new CommandException(ExitCode.USAGE, "%s cannot be read: %s".formatted(file, e));
    }
  }
}
