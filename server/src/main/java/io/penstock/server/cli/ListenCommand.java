package io.penstock.server.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.penstock.budget.SystemAccess;
import io.penstock.push.secret.EnvironmentStore;
import io.penstock.push.secret.FileStore;
import io.penstock.push.secret.SecretAnswer;
import io.penstock.push.secret.Secrets;
import io.penstock.push.signing.Signatures;
import io.penstock.push.signing.SigningKey;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.run.StopSignal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Receives deliveries and shows them. */
@Command(
    name = "listen",
    mixinStandardHelpOptions = true,
    description = {
      "Receives deliveries on this machine, checks their signatures as Standard Webhooks has it, and",
      "prints each. Answers 204, or what --status says; an unverified one gets 401 when --secret is",
      "given."
    },
    footer = {
      "",
      "Examples:",
      "  penstock listen --port 9000",
      "  WEBHOOK_KEY=whsec_... penstock listen --secret env:WEBHOOK_KEY",
      "  penstock listen --status 503"
    })
final class ListenCommand implements Callable<Integer> {
  private static final int UNAUTHORISED = 401;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9000",
      description = "Where to listen, on 127.0.0.1 (default: 9000; 0 = any free one).")
  int port;

  @Option(
      names = "--secret",
      paramLabel = "REF",
      description = "The signing key: env:NAME or file:/path; may be repeated.")
  List<String> secrets = new ArrayList<>();

  @Option(
      names = "--status",
      paramLabel = "CODE",
      defaultValue = "204",
      description = "What to answer (default: 204).")
  int status;

  @Option(names = "--json", description = "Print each delivery as one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  @Override
  @SystemAccess("a receiver judges timestamps by its own clock")
  public Integer call() throws InterruptedException {
    if (status < 200 || status > 599) {
      throw new CommandException(ExitCode.USAGE, "--status: wanted 200 to 599, got " + status);
    }
    List<SigningKey> keys = keys();
    InstantSource clock = InstantSource.system();
    PrintWriter out = Output.of(spec);
    StopSignal stop = StopSignal.install();
    try (Receiver receiver =
        new Receiver(port, (exchange, body) -> take(exchange, body, keys, clock.instant(), out))) {
      out.println(
          json ? Json.text(Map.of("url", receiver.url())) : "Listening on " + receiver.url());
      out.flush();
      stop.await();
    } finally {
      stop.finished(ExitCode.OK.code());
    }
    return ExitCode.OK.code();
  }

  private List<SigningKey> keys() {
    Secrets stores =
        new Secrets(List.of(new EnvironmentStore(System.getenv()::get), new FileStore()));
    List<SigningKey> keys = new ArrayList<>();
    for (String reference : secrets) {
      switch (stores.fetch(reference)) {
        case SecretAnswer.Present(var secret) -> keys.add(key(reference, secret.reveal()));
        case SecretAnswer.Absent(String why) ->
            throw new CommandException(ExitCode.USAGE, "--secret: " + why);
        case SecretAnswer.Silent(String why) ->
            throw new CommandException(ExitCode.USAGE, "--secret: " + why);
      }
    }
    return keys;
  }

  private static SigningKey key(String reference, String text) {
    try {
      return SigningKey.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.USAGE, "--secret %s: %s".formatted(reference, e.getMessage()));
    }
  }

  private Receiver.Reply take(
      HttpExchange exchange, byte[] body, List<SigningKey> keys, Instant now, PrintWriter out) {
    String verdict = verdict(exchange.getRequestHeaders(), body, keys, now);
    boolean refused = !keys.isEmpty() && !verdict.equals("verified");
    int answer = refused ? UNAUTHORISED : status;
    print(exchange, body, verdict, answer, now, out);
    return Receiver.Reply.of(answer);
  }

  private static String verdict(Headers headers, byte[] body, List<SigningKey> keys, Instant now) {
    String signature = header(headers, Signatures.SIGNATURE_HEADER);
    if (keys.isEmpty()) {
      return signature.isEmpty() ? "unsigned" : "unchecked";
    }
    Signatures.Received received =
        new Signatures.Received(
            header(headers, Signatures.ID_HEADER),
            header(headers, Signatures.TIMESTAMP_HEADER),
            signature);
    return Signatures.verify(keys, received, body, now).name().toLowerCase(Locale.ROOT);
  }

  private void print(
      HttpExchange exchange,
      byte[] body,
      String verdict,
      int answer,
      Instant now,
      PrintWriter out) {
    String id = header(exchange.getRequestHeaders(), Signatures.ID_HEADER);
    String text = new String(body, StandardCharsets.UTF_8);
    synchronized (out) {
      if (json) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", now);
        line.put("id", id);
        line.put("signature", verdict);
        line.put("answered", answer);
        line.put("bytes", body.length);
        line.put("body", text);
        out.println(Json.text(line));
      } else {
        out.println(
            "%s %s %s %d bytes, answered %d: %s"
                .formatted(
                    now,
                    FieldFault.shown(id),
                    verdict,
                    body.length,
                    answer,
                    FieldFault.shown(text)));
      }
      out.flush();
    }
  }

  private static String header(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }
}
