package io.penstock.server.cli;

import io.penstock.server.auth.KeyText;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.json.Json;
import io.penstock.server.wiring.FirstKey;
import io.penstock.server.wiring.LedgerHome;
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

/** Lists, makes and revokes API keys. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = "Lists, makes and revokes API keys.",
    synopsisSubcommandLabel = "(list | create | revoke | first)")
final class KeysCommand {
  @Spec @Nullable CommandSpec spec;

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the keys; never the keys themselves.")
  int list(@Mixin ApiOptions api) {
    return api.run(
        client -> client.get("/v1/keys"),
        keys -> {
          Table table = new Table("KEY", "NAME", "SCOPES", "TENANTS", "CREATED", "REVOKED");
          keys.path("items")
              .forEach(k ->
                  table.row(
                      k.path("id").asString(""),
                      k.path("name").asString(""),
                      k.path("scopes").toString(),
                      k.path("tenants").toString(),
                      k.path("created_at").asString(""),
                      k.path("revoked_at").asString("-")));
          return table.toString();
        });
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a key and shows it once. Scopes: producer (posts events), tenant-reader,",
        "tenant-replay (reads and redrives), operator (pauses, redrives, sees all), worker, admin.",
        "producer, tenant-reader and tenant-replay are bound to tenants."
      })
  int create(
      @Mixin ApiOptions api,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              required = true,
              split = ",",
              description = "What it may do; may be repeated.")
          List<String> scopes,
      @Option(
              names = "--tenant",
              paramLabel = "ID",
              split = ",",
              description = "What it is bound to; may be repeated.")
          @Nullable List<String> tenants,
      @Option(names = "--name", paramLabel = "TEXT", description = "For people.")
          @Nullable String name) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("scopes", scopes);
    if (tenants != null) {
      body.put("tenants", tenants);
    }
    if (name != null) {
      body.put("name", name);
    }
    return api.run(
        client -> client.post("/v1/keys", body),
        key ->
            "key %s made; shown this once:%n%s"
                .formatted(key.path("id").asString(""), key.path("key").asString("")));
  }

  @Command(
      name = "first",
      mixinStandardHelpOptions = true,
      description = {
        "Makes the first admin key of an installation, straight in its database, and shows it once.",
        "Refused when there is one already. Wants the database as serve does."
      })
  int first(
      @Mixin ConfigOptions options,
      @Option(names = "--embedded", description = "Of the embedded Postgres below data_dir.")
          boolean embedded,
      @Option(names = "--json", description = "As one line of JSON.") boolean json) {
    ServerConfig config =
        ServerConfig.from(options.resolve(embedded ? Map.of(Setting.EMBEDDED, "true") : Map.of()));
    try (LedgerHome home = LedgerHome.open(config)) {
      KeyText key =
          FirstKey.make(home)
              .orElseThrow(() ->
                  new CommandException(
                      ExitCode.REFUSED,
                      "there is an admin key already; make others with penstock keys create"));
      var out = Output.of(spec);
      out.println(
          json
              ? Json.text(Map.of("id", key.id(), "key", key.reveal()))
              : "key %s made; shown this once:%n%s".formatted(key.id(), key.reveal()));
      out.flush();
      return ExitCode.OK.code();
    }
  }

  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = "Ends a key, on all nodes within some seconds.")
  int revoke(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The key's id, for instance ps_3fa9xk2m.")
          String id) {
    return api.run(
        client ->
            client.post("/v1/keys/%s/revoke".formatted(DeliveriesCommand.encoded(id)), Map.of()),
        revoked -> "key %s revoked".formatted(revoked.path("id").asString("")));
  }
}
