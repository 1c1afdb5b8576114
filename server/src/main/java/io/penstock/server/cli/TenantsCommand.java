package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists and makes tenants. */
@Command(
    name = "tenants",
    mixinStandardHelpOptions = true,
    description = "Lists tenants (the customers whose work it is), or makes one.",
    synopsisSubcommandLabel = "(list | create)")
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
}
