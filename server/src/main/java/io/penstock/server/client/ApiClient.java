package io.penstock.server.client;

import io.penstock.server.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Speaks to a server's API for the command line. For one thread. */
public final class ApiClient implements AutoCloseable {
  /** Answers take milliseconds; this is for a server in distress. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI base;
  private final String key;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * A client of one server.
   *
   * @param base scheme, host and port
   */
  public ApiClient(URI base, String key) {
    this.base = base;
    this.key = key;
  }

  /** Asks for something; throws CommandException when the server refuses or does not answer. */
  public JsonNode get(String path) {
    return send(request(path).GET());
  }

  /** Posts a value as JSON. */
  public JsonNode post(String path, Object body) {
    return post(path, Json.write(body), Map.of());
  }

  /** Posts JSON that is text already, with more headers. */
  public JsonNode post(String path, byte[] body, Map<String, String> headers) {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    return send(request);
  }

  /**
   * A page of JSON lines.
   *
   * @param text lines, each with its end; empty = none
   * @param next the cursor of the next page; empty = this was the last
   */
  public record Lines(String text, Optional<String> next) {}

  /** Asks for a page of JSON lines; throws as {@link #get} does. */
  public Lines lines(String path) {
    HttpResponse<String> response = answer(request(path).GET(), BodyHandlers.ofString());
    if (response.statusCode() >= 400) {
      throw refusal(response.statusCode(), body(response.statusCode(), response.body()));
    }
    return new Lines(response.body(), response.headers().firstValue("Penstock-Next-Cursor"));
  }

  /** Asks for bytes as they are; throws as {@link #get} does. */
  public byte[] bytes(String path) {
    HttpResponse<byte[]> response = answer(request(path).GET(), BodyHandlers.ofByteArray());
    int status = response.statusCode();
    if (status >= 400) {
      throw refusal(status, body(status, new String(response.body(), StandardCharsets.UTF_8)));
    }
    return response.body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + key)
        .header("Accept", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request) {
    HttpResponse<String> response = answer(request, BodyHandlers.ofString());
    JsonNode body = body(response.statusCode(), response.body());
    if (response.statusCode() >= 400) {
      throw refusal(response.statusCode(), body);
    }
    return body;
  }

  private <T> HttpResponse<T> answer(HttpRequest.Builder request, BodyHandler<T> handler) {
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.UNREACHABLE,
          "no server answers at %s (%s); is penstock dev or serve running, and --url right?"
              .formatted(base, e.getClass().getSimpleName()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.FAILED, "interrupted");
    }
  }

  private JsonNode body(int status, String text) {
    try {
      return Json.tree(text);
    } catch (JacksonException e) {
      throw new CommandException(
          ExitCode.FAILED,
          "%s answered %d with something that is not JSON; is it a Penstock server?"
              .formatted(base, status));
    }
  }

  private static CommandException refusal(int status, JsonNode problem) {
    String detail = problem.path("detail").asString("");
    String code = problem.path("code").asString("");
    ExitCode exit = status >= 500 ? ExitCode.UNREACHABLE : ExitCode.REFUSED;
    return new CommandException(exit, "refused with %d %s: %s".formatted(status, code, detail));
  }

  @Override
  public void close() {
    http.close();
  }
}
