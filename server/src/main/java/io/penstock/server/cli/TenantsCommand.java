package io.penstock.server.cli;

import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists and makes tenants. */
@Command(
    name = "tenants",
    mixinStandardHelpOptions = true,
    description =
        "Lists tenants (the customers whose work it is), makes one, or erases one's data.",
    synopsisSubcommandLabel = "(list | create | erase | erasures)")
final class TenantsCommand {

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the tenants that this key may see.")
  int list(@Mixin ApiOptions api) {
    return api.run(
        client -> client.get("/v1/tenants?limit=250"),
        page -> {
          Table table = new Table("TENANT", "NAME", "CREATED");
          page.path("items")
              .forEach(t ->
                  table.row(
                      t.path("id").asString(""),
                      t.path("name").asString(""),
                      t.path("created_at").asString("")));
          return table.isEmpty()
              ? "No tenants; penstock tenants create ID makes one."
              : table.toString();
        });
  }

  @Command(name = "create", mixinStandardHelpOptions = true, description = "Makes a tenant.")
  int create(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "1 to 64 of A-Z a-z 0-9 _ . -") String id,
      @Option(names = "--name", paramLabel = "TEXT", description = "For people (default: the id).")
          @Nullable String name) {
    return api.run(
        client -> client.post("/v1/tenants", Map.of("id", id, "name", name == null ? id : name)),
        tenant -> "tenant %s made".formatted(tenant.path("id").asString("")));
  }

  @Command(
      name = "erase",
      mixinStandardHelpOptions = true,
      description = {
        "Deletes all data of a tenant, for good. Without --confirm it counts what would go and shows",
        "the confirmation to say; with it the tenant takes nothing any more, and a task deletes",
        "events, deliveries, attempts, dead letters, keys and its lines of the audit. The ids of the",
        "tenant and its destinations stay taken, and one line of the audit says what was deleted."
      })
  int erase(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The tenant.") String id,
      @Option(
              names = "--confirm",
              paramLabel = "TEXT",
              description = "What the count said, ten minutes ago at most.")
          @Nullable String confirmation,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit.")
          @Nullable String reason) {
    String of = "/v1/tenants/" + DeliveriesCommand.encoded(id);
    if (confirmation == null) {
      return api.run(client -> client.get(of + "/erasure-plan"), TenantsCommand::plan);
    }
    Map<String, String> body =
        Map.of("confirmation", confirmation, "reason", reason == null ? "" : reason);
    if (reason == null) {
      throw new CommandException(ExitCode.USAGE, "wanted --reason for the audit");
    }
    return api.run(
        client -> client.post(of + "/erase", body),
        begun -> "erasing %s; penstock tenants erasures shows how far it is".formatted(id));
  }

  private static String plan(JsonNode plan) {
    return """
    %s%s destinations, %s waiting, %s finished deliveries, %s dead letters would be deleted,
    with their events and attempts. Nothing was changed. To do it, within ten minutes:
      penstock tenants erase %s --confirm %s --reason TEXT\
    """
        .formatted(
            plan.path("at_least").asBoolean(false) ? "at least " : "",
            plan.path("destinations").asString(""),
            plan.path("waiting").asString(""),
            plan.path("finished").asString(""),
            plan.path("dead_letters").asString(""),
            plan.path("tenant_id").asString(""),
            plan.path("confirmation").asString(""));
  }

  @Command(
      name = "erasures",
      mixinStandardHelpOptions = true,
      description = "Shows whose data is being deleted, or was, and how far it is.")
  int erasures(@Mixin ApiOptions api) {
    return api.run(
        client -> client.get("/v1/erasures"),
        page -> {
          Table table =
              new Table(
                  "TENANT", "STARTED", "DONE", "LETTERS", "DELIVERIES", "EVENTS", "BY", "WHY");
          page.path("items")
              .forEach(e ->
                  table.row(
                      e.path("tenant_id").asString(""),
                      ShelfCommand.seconds(e.path("started_at")),
                      ShelfCommand.seconds(e.path("done_at")),
                      e.path("dead_letters").asString(""),
                      e.path("deliveries").asString(""),
                      e.path("events").asString(""),
                      e.path("actor").asString(""),
                      e.path("reason").asString("")));
          return table.isEmpty() ? "No tenant's data was ever erased." : table.toString();
        });
  }
}
