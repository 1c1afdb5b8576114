package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists and makes destinations. */
@Command(
    name = "destinations",
    mixinStandardHelpOptions = true,
    description =
        "Lists destinations (where work goes), or makes one. penstock pause, resume, hold, release,"
            + " disable and enable change whether they are served.",
    synopsisSubcommandLabel = "(list | create)")
final class DestinationsCommand {

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the destinations that this key may see.")
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant) {
    String of = tenant == null ? "" : "&tenant=" + DeliveriesCommand.encoded(tenant);
    return api.run(
        client -> client.get("/v1/destinations?limit=250" + of),
        page -> {
          Table table = new Table("DESTINATION", "TENANT", "STATE", "RATE/S", "URL");
          page.path("items").forEach(d -> table.row(cells(d)));
          return table.isEmpty() ? "No destinations." : table.toString();
        });
  }

  private static String[] cells(JsonNode d) {
    return new String[] {
      d.path("id").asString(""),
      d.path("tenant_id").asString(""),
      d.path("state").asString(""),
      d.path("budget").path("rate_per_second").asString(""),
      d.path("url").asString("")
    };
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
      @Parameters(paramLabel = "URL", description = "Where to POST.") String url,
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
    body.put("url", url);
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
