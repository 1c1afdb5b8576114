package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows who did what. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows who did what, why and when, newest first. Nothing of it can be changed.",
    footer = {
      "",
      "Examples:",
      "  penstock audit --since 24h",
      "  penstock audit --action gate --subject orders",
      "  penstock audit --lines > audit.jsonl"
    })
final class AuditCommand implements Callable<Integer> {
  private static final int DEFAULT_LIMIT = 50;
  private static final int EXPORT_PAGE = 250;

  @Mixin ApiOptions api = new ApiOptions();

  @Option(names = "--tenant", paramLabel = "ID", description = "Only about this tenant's things.")
  @Nullable String tenant;

  @Option(
      names = "--actor",
      paramLabel = "WHO",
      description = "Only by this actor, for instance key:ps_3fa9c1d2.")
  @Nullable String actor;

  @Option(
      names = "--action",
      paramLabel = "WHAT",
      description = "Only this action, for instance gate.pause; or all of a thing: gate.")
  @Nullable String action;

  @Option(
      names = "--subject",
      paramLabel = "ID",
      description = "Only about this, for instance a destination, also about its deliveries.")
  @Nullable String subject;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only at this time or later: 2h (ago) or 2026-11-30T12:00:00Z.")
  @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Only before this time.")
  @Nullable String until;

  @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
  @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
  @Nullable String cursor;

  @Option(names = "--lines", description = "Write all of it as JSON lines, page after page.")
  boolean lines;

  private Query query() {
    return new Query()
        .add("tenant", tenant)
        .add("actor", actor)
        .add("action", action)
        .add("subject", subject)
        .add("since", since)
        .add("until", until);
  }

  @Override
  public Integer call() {
    if (lines) {
      return Listing.lines(
          api,
          at ->
              "/v1/audit/export"
                  + query().add("cursor", at == null ? cursor : at).add("limit", EXPORT_PAGE));
    }
    return api.run(
        client ->
            Listing.filled(
                client,
                limit == null ? DEFAULT_LIMIT : limit,
                cursor,
                (at, most) -> "/v1/audit" + query().add("cursor", at).add("limit", most)),
        AuditCommand::list);
  }

  private static String list(JsonNode page) {
    Table table = new Table("WHEN", "WHO", "WHAT", "OF", "WHY", "MORE");
    for (JsonNode item : page.path("items")) {
      table.row(
          ShelfCommand.seconds(item.path("at")),
          ShelfCommand.shown(item.path("actor").asString("")),
          item.path("action").asString(""),
          ShelfCommand.shown(item.path("subject").asString("")),
          ShelfCommand.shown(item.path("reason").asString("")),
          ShelfCommand.shown(item.path("detail").asString("")));
    }
    return (table.isEmpty() ? "Nothing in the audit for this question." : table.toString())
        + Listing.more(page);
  }
}
