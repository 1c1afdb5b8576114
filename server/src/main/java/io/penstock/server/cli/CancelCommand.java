package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Cancels what waits, by filter. */
@Command(
    name = "cancel",
    mixinStandardHelpOptions = true,
    description = {
      "Cancels waiting deliveries of a destination or a tenant: they are never sent, and there is",
      "no way back. Those that are being sent just now are cancelled too, but may arrive. Look",
      "first with --dry-run. One delivery alone: penstock deliveries DESTINATION EVENT --cancel."
    },
    footer = {
      "",
      "Examples:",
      "  penstock cancel --destination orders --older-than 2d --dry-run",
      "  penstock cancel --destination orders --older-than 2d --reason 'stale prices'",
      "  penstock cancel --tenant acme --type price.changed --reason 'sent in bulk instead'"
    })
final class CancelCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @Option(names = "--destination", paramLabel = "ID", description = "What waits for this one.")
  @Nullable String destination;

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "What waits for any destination of this tenant.")
  @Nullable String tenant;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only events of this type.")
  @Nullable String type;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      description = "Only those that have waited since before: 2h (ago) or 2026-11-30T12:00:00Z.")
  @Nullable String olderThan;

  @Option(names = "--dry-run", description = "Count them and change nothing.")
  boolean dryRun;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for the audit; needed unless --dry-run.")
  @Nullable String reason;

  /** All steps together. */
  record Total(long cancelled, long leased, boolean dryRun) {}

  @Override
  public Integer call() {
    if (destination == null && tenant == null) {
      throw new CommandException(
          ExitCode.USAGE, "wanted --destination or --tenant; nothing is cancelled for everybody");
    }
    if (reason == null && !dryRun) {
      throw new CommandException(
          ExitCode.USAGE, "wanted --reason for the audit, or --dry-run to only count");
    }
    return api.each(this::cancel);
  }

  private void cancel(ApiClient client) {
    Map<String, Object> body = body();
    Total total = new Total(0, 0, dryRun);
    JsonNode step;
    do {
      step = client.post("/v1/deliveries/cancel", body);
      total =
          new Total(
              total.cancelled() + step.path("cancelled").asLong(0),
              total.leased() + step.path("leased").asLong(0),
              dryRun);
      if (step.path("has_more").asBoolean(false)) {
        body.put("cursor", step.path("next_cursor").asString(""));
        progress(total);
      }
    } while (step.path("has_more").asBoolean(false));
    api.print(api.json ? Json.text(total) : sentence(total));
  }

  private Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    put(body, "destination", destination);
    put(body, "tenant", tenant);
    put(body, "type", type);
    put(body, "older_than", olderThan);
    put(body, "reason", reason);
    body.put("dry_run", dryRun);
    return body;
  }

  private static void put(Map<String, Object> body, String name, @Nullable String value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  private void progress(Total total) {
    if (!api.json) {
      api.print("%,d so far".formatted(total.cancelled()));
    }
  }

  private static String sentence(Total total) {
    if (total.cancelled() == 0) {
      return "Nothing waits that matches.";
    }
    return total.dryRun()
        ? "%,d would be cancelled, %,d of them are being sent just now; nothing was changed"
            .formatted(total.cancelled(), total.leased())
        : "%,d cancelled, %,d of them while they were being sent"
            .formatted(total.cancelled(), total.leased());
  }
}
