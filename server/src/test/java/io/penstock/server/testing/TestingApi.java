package io.penstock.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.auth.KeyText;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import io.penstock.server.http.Route;
import io.penstock.server.json.Json;
import io.penstock.server.wiring.FirstKey;
import io.penstock.server.wiring.LedgerHome;
import io.penstock.server.wiring.PenstockServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGeneratorFactory;
import tools.jackson.databind.JsonNode;

/**
 * A whole server on a test's database, spoken to over real HTTP. Every answer is held against the
 * OpenAPI document as it comes.
 */
public final class TestingApi implements AutoCloseable {
  private final PenstockServer server;
  private final ApiDocument document = ApiDocument.load();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String adminKey;
  private boolean stopped;

  /** An answer, with its body as JSON when it is that. */
  public record Answered(int status, JsonNode json, HttpResponse<byte[]> response) {
    /** A member of the answer as text. */
    public String text(String name) {
      return json.path(name).asString("");
    }

    /** A header; empty text when it is missing. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  private TestingApi(PenstockServer server, String adminKey) {
    this.server = server;
    this.adminKey = adminKey;
  }

  /** Starts a server that has the database to itself. */
  public static TestingApi start(
      TestDatabase database, Path folder, Limits limits, Map<Setting, String> more) {
    PenstockServer server = server(database, folder, limits, more);
    try {
      server.start();
    } catch (RuntimeException e) {
      server.stop();
      throw e;
    }
    KeyText key =
        FirstKey.make(server.keys(), RandomGeneratorFactory.of("L64X128MixRandom").create(1))
            .orElseThrow();
    return new TestingApi(server, key.reveal());
  }

  /** Starts another server on the same database, spoken to with the first one's key. */
  public TestingApi another(
      TestDatabase database, Path folder, Limits limits, Map<Setting, String> more) {
    PenstockServer another = server(database, folder, limits, more);
    another.start();
    return new TestingApi(another, adminKey);
  }

  /** One more node on the database of another, with a folder and settings of its own. */
  public static TestingApi beside(
      TestingApi first, TestDatabase database, Path folder, Map<Setting, String> more) {
    PenstockServer server = server(database, folder, LimitsDocument.DEFAULT, more);
    server.start();
    return new TestingApi(server, first.adminKey);
  }

  private static PenstockServer server(
      TestDatabase database, Path folder, Limits limits, Map<Setting, String> more) {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    flags.put(Setting.DATABASE_URL, url(database));
    flags.put(Setting.LISTEN, "127.0.0.1:0");
    flags.put(Setting.DATA_DIR, folder.toString());
    flags.put(Setting.EGRESS_ALLOW, "127.0.0.0/8");
    flags.put(Setting.NODE_GRACE, "5s");
    flags.putAll(more);
    ServerConfig config = ServerConfig.from(Settings.resolve(flags, Map.of(), Optional.empty()));
    return new PenstockServer(config, limits, LedgerHome.open(config));
  }

  private static String url(TestDatabase database) {
    String join = database.jdbcUrl().contains("?") ? "&" : "?";
    return "%s%suser=%s&password=%s"
        .formatted(database.jdbcUrl(), join, database.user(), database.password());
  }

  public PenstockServer server() {
    return server;
  }

  public URI url() {
    return server.url();
  }

  public List<Route> routes() {
    return server.routes();
  }

  public String adminKey() {
    return adminKey;
  }

  /** A GET by the admin. */
  public Answered get(String path) {
    return call("GET", path, adminKey, null, Map.of());
  }

  /** A POST by the admin. */
  public Answered post(String path, String body) {
    return call("POST", path, adminKey, body, Map.of());
  }

  /** A new key, made by the admin. */
  public String key(String scopes, String tenants) {
    Answered made = post("/v1/keys", "{\"scopes\":%s,\"tenants\":%s}".formatted(scopes, tenants));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
    return made.text("key");
  }

  /** Any call; the body is JSON. */
  public Answered call(
      String method,
      String path,
      String key,
      @org.jspecify.annotations.Nullable String body,
      Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url().resolve(path)).header("Authorization", "Bearer " + key);
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    request.method(
        method,
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    return send(request.build());
  }

  /** Any request at all. */
  public Answered send(HttpRequest request) {
    HttpResponse<byte[]> response;
    try {
      response = http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no answer to " + request, e);
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    // A payload is a stranger's bytes, whatever they call themselves.
    boolean isJson =
        type.startsWith("application/problem+json")
            || (type.startsWith("application/json")
                && !request.uri().getPath().endsWith("/payload"));
    JsonNode json =
        Json.tree(isJson ? new String(response.body(), StandardCharsets.UTF_8) : "null");
    if (isJson) {
      document.check(request.method(), request.uri().getPath(), response.statusCode(), json);
    }
    return new Answered(response.statusCode(), json, response);
  }

  /** Stops the server; what was still in flight. */
  public int stop() {
    stopped = true;
    http.close();
    return server.stop();
  }

  @Override
  public void close() {
    if (!stopped) {
      stop();
    }
  }
}
