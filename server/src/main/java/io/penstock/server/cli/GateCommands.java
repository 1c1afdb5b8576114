package io.penstock.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Closes and opens gates: of one destination, of a tenant, of everything. */
final class GateCommands {
  private GateCommands() {}

  /** What it concerns. */
  static final class Target {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "DESTINATION",
        description = "One destination, by its id.")
    @Nullable String destination;

    @Option(
        names = "--tenant",
        paramLabel = "ID",
        description = "All destinations of this tenant, those made later too.")
    @Nullable String tenant;

    @Option(names = "--all", description = "Everything, all tenants; asks first.")
    boolean all;

    String path() {
      if (all) {
        return "/v1/everything";
      }
      return tenant == null
          ? "/v1/destinations/" + DeliveriesCommand.encoded(String.valueOf(destination))
          : "/v1/tenants/" + DeliveriesCommand.encoded(tenant);
    }
  }

  /** What all of these commands have in common. */
  abstract static class GateCommand implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();

    @ArgGroup(multiplicity = "1")
    Target target = new Target();

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Why; kept in the audit, and shown to whoever asks why it waits.")
    String reason = "";

    @Mixin Confirmation confirmation = new Confirmation();

    abstract String action();

    @Override
    public Integer call() {
      if (target.all) {
        confirmation.of(action() + " everything, all tenants");
      }
      String path = target.path() + "/" + action();
      return api.run(
          client -> client.post(path, Map.of("reason", reason)), answer -> told(action(), answer));
    }
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = {
        "Stops sending within a second on every node and keeps everything, retries and what comes",
        "meanwhile too, until it is resumed. What is under way at this moment ends."
      })
  static final class Pause extends GateCommand {
    @Override
    String action() {
      return "pause";
    }
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = {
        "Lets what is paused flow again: oldest first, under its budget, from an empty bucket.",
        "A destination flows once its own pause, its tenant's and that of everything are lifted.",
        "What is held is not resumed but released: penstock release."
      })
  static final class Resume extends GateCommand {
    @Override
    String action() {
      return "resume";
    }
  }

  @Command(
      name = "hold",
      mixinStandardHelpOptions = true,
      description = {
        "Holds it as Penstock does after a run of rejections or refused credentials: everything is",
        "kept until it is released. For planned stops use pause."
      })
  static final class Hold extends GateCommand {
    @Override
    String action() {
      return "hold";
    }
  }

  @Command(
      name = "release",
      mixinStandardHelpOptions = true,
      description = {
        "Lets flow again what is held, by Penstock or by hand: oldest first, under its budget, from",
        "an empty bucket. penstock why DESTINATION says what was wrong."
      })
  static final class Release extends GateCommand {
    @Override
    String action() {
      return "release";
    }
  }

  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description = {
        "Ends its service: what waits and what comes goes to the shelf, from which it can be",
        "redriven. To keep things waiting instead use pause."
      })
  static final class Disable extends GateCommand {
    @Override
    String action() {
      return "disable";
    }
  }

  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Lets what is disabled take events again. What went to the shelf stays there.")
  static final class Enable extends GateCommand {
    @Override
    String action() {
      return "enable";
    }
  }

  private static String told(String action, JsonNode answer) {
    String who =
        switch (answer.path("scope").asString("")) {
          case "destination" -> answer.path("destination_id").asString("");
          case "tenant" -> "the tenant " + answer.path("tenant_id").asString("");
          default -> "everything";
        };
    long waiting = answer.path("waiting").asLong(0);
    String count =
        waiting == 0
            ? "nothing waits"
            : "%s%,d %s"
                .formatted(
                    answer.path("exact").asBoolean(true) ? "" : "at least ",
                    waiting,
                    waiting == 1 ? "waits" : "wait");
    String oldest =
        answer.has("oldest")
            ? ", the oldest since " + Times.seconds(answer.path("oldest").asString(""))
            : "";
    String state = answer.path("state").asString("");
    boolean shelved = state.equals("disabled") && waiting > 0;
    String instead =
        action.equals("resume") && state.equals("held")
            ? "; resume ends pauses only, penstock release ends a hold"
            : "";
    return "%s is %s%s; %s%s%s"
        .formatted(
            who,
            state,
            answer.path("changed").asBoolean(true) ? "" : ", as it was",
            shelved ? count.replaceFirst("waits?$", "").strip() : count + " behind it",
            shelved
                ? " that waited %s to the shelf (see penstock shelf groups); after penstock enable, penstock redrive brings %s back"
                    .formatted(waiting == 1 ? "goes" : "go", waiting == 1 ? "it" : "them")
                : oldest,
            instead);
  }
}
