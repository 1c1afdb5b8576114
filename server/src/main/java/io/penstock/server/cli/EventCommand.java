package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows one event and where its deliveries are. */
@Command(
    name = "event",
    mixinStandardHelpOptions = true,
    description = {
      "Shows one event and its deliveries. Its payload is shown to nobody unasked:",
      "--payload-to writes it into a file, byte for byte."
    },
    footer = {
      "",
      "Examples:",
      "  penstock event 0199c0de-0000-7000-8000-000000000000",
      "  penstock event 0199c0de-0000-7000-8000-000000000000 --payload-to payload.json"
    })
final class EventCommand implements Callable<Integer> {
  /** Deliveries shown of one event: it has one for each of its destinations. */
  private static final int MOST_DELIVERIES = 250;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "EVENT", description = "The event's id.")
  String event = "";

  @Option(
      names = "--payload-to",
      paramLabel = "FILE",
      description = "Write the payload into this file, in place of what is there.")
  @Nullable Path payloadTo;

  @Override
  public Integer call() {
    return api.run(this::ask, this::shown);
  }

  /** The event as the API tells it, and a page of its deliveries beside it. */
  private JsonNode ask(ApiClient client) {
    String id = DeliveriesCommand.encoded(event);
    ObjectNode all = (ObjectNode) client.get("/v1/events/" + id);
    all.set(
        "deliveries",
        client.get("/v1/deliveries?event=%s&limit=%d".formatted(id, MOST_DELIVERIES)));
    if (payloadTo != null) {
      write(client.bytes("/v1/events/%s/payload".formatted(id)), payloadTo);
    }
    return all;
  }

  private static void write(byte[] payload, Path file) {
    try {
      Files.write(file, payload);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.FAILED, "--payload-to: %s cannot be written: %s".formatted(file, e));
    }
  }

  private String shown(JsonNode all) {
    StringBuilder text =
        new StringBuilder(
            """
            event %s of %s, type %s, accepted %s
            %s bytes of %s, sha256 %s, idempotency key %s
            """
                .formatted(
                    all.path("event_id").asString(""),
                    all.path("tenant_id").asString(""),
                    ShelfCommand.shown(all.path("type").asString("")),
                    all.path("accepted_at").asString(""),
                    all.path("size").asString(""),
                    ShelfCommand.shown(all.path("content_type").asString("")),
                    all.path("sha256").asString(""),
                    ShelfCommand.shown(all.path("idempotency_key").asString(""))));
    if (!all.path("headers").isEmpty()) {
      text.append(
          all.path("headers")
              .valueStream()
              .map(h ->
                  ShelfCommand.shown(
                      h.path("name").asString("") + ": " + h.path("value").asString("")))
              .collect(Collectors.joining("\n", "", "\n")));
    }
    all.path("suppressed")
        .forEach(s ->
            text.append(
                "no job for %s: job %s left its item fresh at %s\n"
                    .formatted(
                        s.path("destination_id").asString(""),
                        s.at("/run/job").asString(""),
                        Times.seconds(s.at("/run/completed_at").asString("")))));
    if (payloadTo != null) {
      text.append("payload written to ").append(payloadTo).append('\n');
    }
    return text + DeliveriesCommand.list(all.path("deliveries"));
  }
}
