package io.penstock.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Route;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.testing.ApiDocument;
import io.penstock.server.testing.TestingApi;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document against the routes; answers are held against it in every API test. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  private final ApiDocument document = ApiDocument.load();
  private final TestingApi api;

  OpenApiTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private Map<String, JsonNode> documented() {
    Map<String, JsonNode> operations = new TreeMap<>();
    document
        .root()
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .properties()
                .forEach(operation ->
                    operations.put(
                        operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                        operation.getValue())));
    return operations;
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }

  @Test
  void theDocumentHasTheRoutesAndNoOthers() {
    assertThat(documented().keySet())
        .isEqualTo(
            api.routes().stream()
                .map(OpenApiTest::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void scopesAndParametersAreThoseOfTheRoutes() {
    Map<String, JsonNode> documented = documented();
    for (Route route : api.routes()) {
      JsonNode operation = Objects.requireNonNull(documented.get(name(route)));
      assertThat(texts(operation.at("/security/0/key")))
          .as(name(route))
          .isEqualTo(route.scopes().stream().map(Scope::word).collect(Collectors.toSet()));
      Set<String> query =
          StreamSupport.stream(operation.path("parameters").spliterator(), false)
              .filter(p -> p.path("in").asString("").equals("query"))
              .map(p -> p.path("name").asString(""))
              .collect(Collectors.toSet());
      assertThat(query).as(name(route)).isEqualTo(route.query());
      if (route.bodyBytes() == 0) {
        assertThat(operation.has("requestBody")).as(name(route)).isFalse();
      }
    }
  }

  @Test
  void theErrorCodesAreThoseOfTheProgram() {
    assertThat(texts(document.root().at("/components/schemas/Problem/properties/code/enum")))
        .isEqualTo(
            Arrays.stream(ErrorCode.values()).map(ErrorCode::word).collect(Collectors.toSet()));
  }

  @Test
  void theDocumentIsServedAsItIs() {
    TestingApi.Answered served = api.get("/v1/openapi.json");
    assertThat(served.json()).isEqualTo(document.root());
    assertThat(served.text("openapi")).isEqualTo("3.1.0");
  }

  private static Set<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(n -> n.asString(""))
        .collect(Collectors.toSet());
  }
}
