package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists, shows and makes destinations. */
@Command(
    name = "destinations",
    mixinStandardHelpOptions = true,
    description =
        "Lists destinations (where work goes), shows or makes one. penstock pause, resume, hold, release,"
            + " disable and enable change whether they are served.",
    synopsisSubcommandLabel = "(list | show | create)")
final class DestinationsCommand {

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = {
        "Lists the destinations that this key may see, with what waits for each as the node counted",
        "it some seconds ago. In an incident: --waiting, the longest waiting first."
      })
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant,
      @Option(
              names = "--waiting",
              description = "Only those for which something waits, the oldest first.")
          boolean waiting) {
    String of =
        (tenant == null ? "" : "&tenant=" + DeliveriesCommand.encoded(tenant))
            + (waiting ? "&waiting=true" : "");
    return api.run(
        client -> client.get("/v1/destinations?limit=250" + of),
        page -> {
          Table table =
              new Table(
                  "DESTINATION",
                  "TENANT",
                  "STATE",
                  "FLAGS",
                  "WAITING",
                  "OLDEST",
                  "RATE/S",
                  "CEILING",
                  "URL");
          page.path("items").forEach(d -> table.row(cells(d)));
          if (!table.isEmpty()) {
            return table.toString();
          }
          return waiting ? "Nothing waits, by the node's last count." : "No destinations.";
        });
  }

  private static String[] cells(JsonNode d) {
    return new String[] {
      d.path("id").asString(""),
      d.path("tenant_id").asString(""),
      d.path("state").asString(""),
      flags(d),
      Waiting.count(d.path("waiting")),
      Waiting.oldest(d.path("waiting")),
      HistoryDrawing.number(d.path("budget").path("rate_per_second").asDouble(0)),
      HistoryDrawing.number(d.path("budget").path("ceiling_per_second").asDouble(0)),
      d.path("url").asString("")
    };
  }

  /** All that holds at once; the state is only the first of them. */
  private static String flags(JsonNode d) {
    List<String> flags = new ArrayList<>();
    for (String flag : List.of("disabled", "paused", "held")) {
      if (d.path("gate").path(flag).asBoolean(false)) {
        flags.add(flag);
      }
    }
    JsonNode budget = d.path("budget");
    if (budget.path("parked").asBoolean(false)) {
      flags.add("parked");
    }
    if (budget.path("ceiling_per_second").asDouble(1) == 0) {
      flags.add("rate_zero");
    }
    if (budget.path("rate_per_second").asDouble(0)
        < budget.path("ceiling_per_second").asDouble(0)) {
      flags.add("shrunken");
    }
    return flags.isEmpty() ? "-" : String.join(",", flags);
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Shows one destination: its state and flags, the rate in force against the ceiling, what is",
        "in flight, what waits. penstock why says why it waits, penstock history what happened."
      })
  int show(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The destination.") String id) {
    return api.run(
        client -> client.get("/v1/destinations/" + DeliveriesCommand.encoded(id)),
        DestinationsCommand::shown);
  }

  private static String shown(JsonNode d) {
    JsonNode budget = d.path("budget");
    return new Table("destination", d.path("id").asString(""))
        .row("tenant", d.path("tenant_id").asString(""))
        .row("state", d.path("state").asString(""))
        .row("flags", flags(d))
        .row(
            "rate",
            "%s a second of a ceiling of %s, burst %s"
                .formatted(
                    HistoryDrawing.number(budget.path("rate_per_second").asDouble(0)),
                    HistoryDrawing.number(budget.path("ceiling_per_second").asDouble(0)),
                    budget.path("burst").asString("")))
        .row(
            "in flight",
            "%s of %s slots"
                .formatted(
                    budget.path("in_flight").asString(""), budget.path("slots").asString("")))
        .row("waiting", Waiting.line(d.path("waiting")))
        .row("mode", d.path("mode").asString(""))
        .row("url", d.path("url").asString(""))
        .row("created", d.path("created_at").asString(""))
        .toString();
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a destination. With --generate-secret the server makes a signing key, shown once;",
        "with --secret it uses one that you keep. --types subscribes it to types of events."
      })
  int create(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", required = true, description = "Whose it is.")
          String tenant,
      @Parameters(
              paramLabel = "URL",
              arity = "0..1",
              description = "Where to POST; none with --mode pull.")
          @Nullable String url,
      @Option(
              names = "--mode",
              paramLabel = "MODE",
              defaultValue = "push",
              description = "push (default), or pull: a tube, from which workers lease jobs.")
          String mode,
      @Option(names = "--id", paramLabel = "ID", description = "Its id (default: made up).")
          @Nullable String id,
      @Option(
              names = "--secret",
              paramLabel = "REF",
              description = "Where the signing key is: env:NAME or file:/path; may be repeated.")
          @Nullable List<String> secrets,
      @Option(names = "--generate-secret", description = "Let the server make a signing key.")
          boolean generate,
      @Option(
              names = "--types",
              paramLabel = "TYPE",
              split = ",",
              description = "Event types that it hears; * = all.")
          @Nullable List<String> types) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("tenant", tenant);
    body.put("mode", mode);
    if (url != null) {
      body.put("url", url);
    }
    if (id != null) {
      body.put("id", id);
    }
    if (secrets != null) {
      body.put("secrets", secrets);
    }
    if (generate) {
      body.put("generate_secret", true);
    }
    if (types != null) {
      body.put("types", types.contains("*") ? List.of() : types);
    }
    return api.run(client -> client.post("/v1/destinations", body), DestinationsCommand::created);
  }

  private static String created(JsonNode d) {
    String made = "destination %s made".formatted(d.path("id").asString(""));
    return d.has("secret")
        ? "%s%nsigning key, shown this once: %s".formatted(made, d.path("secret").asString(""))
        : made;
  }
}
