package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The outbox: what applications enqueue in SQL. */
@Command(
    name = "outbox",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how much lies in the outbox, where applications put events with penstock.enqueue(…) in",
      "transactions of their own, and what of it was refused and why."
    },
    footer = {
      "",
      "Examples:",
      "  penstock outbox",
      "  penstock outbox refused --tenant acme",
      "  penstock outbox retry 17 --reason \"the tenant exists now\""
    })
final class OutboxCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @Override
  public Integer call() {
    return api.run(client -> client.get("/v1/outbox"), OutboxCommand::depth);
  }

  private static String depth(JsonNode outbox) {
    return "%s%s waiting%s, %s refused%s"
        .formatted(
            outbox.path("at_least").asBoolean(false) ? "at least " : "",
            outbox.path("waiting").asString(""),
            outbox.has("oldest") ? ", the oldest since " + outbox.path("oldest").asString("") : "",
            outbox.path("refused").asString(""),
            outbox.path("refused").asLong(0) == 0 ? "" : " (penstock outbox refused shows them)");
  }

  @Command(
      name = "refused",
      mixinStandardHelpOptions = true,
      description = {
        "Lists rows that became no event, newest first: an unknown tenant or destination, a field",
        "that breaks the rules, an idempotency key that came before with other bytes. They are kept",
        "for 30 days and stop nobody else."
      })
  int refused(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    Query query = new Query().add("tenant", tenant).add("limit", limit).add("cursor", cursor);
    return api.run(client -> client.get("/v1/outbox/refused" + query), OutboxCommand::table);
  }

  private static String table(JsonNode page) {
    Table table = new Table("NUMBER", "REFUSED", "TENANT", "TYPE", "REASON", "DETAIL");
    page.path("items")
        .forEach(row ->
            table.row(
                row.path("number").asString(""),
                ShelfCommand.seconds(row.path("refused_at")),
                ShelfCommand.shown(row.path("tenant_id").asString("")),
                ShelfCommand.shown(row.path("type").asString("")),
                row.path("reason").asString(""),
                ShelfCommand.shown(row.path("detail").asString(""))));
    return (table.isEmpty() ? "Nothing was refused." : table.toString()) + Listing.more(page);
  }

  @Command(
      name = "retry",
      mixinStandardHelpOptions = true,
      description = "Puts a refused row back into the outbox, once what was wrong is right.")
  int retry(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "NUMBER", description = "As penstock outbox refused shows it.")
          long number,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "Why, for the audit.")
          String reason) {
    return api.run(
        client -> client.post("/v1/outbox/refused/" + number + "/retry", Map.of("reason", reason)),
        done -> "row %s is in the outbox again".formatted(done.path("number").asString("")));
  }
}
