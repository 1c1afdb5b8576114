package io.penstock.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.http.Route;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Walks every route with keys that must not get through. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantIsolationTest {
  /** Everything but admin, bound to the other tenant. */
  private static final String ALL_SCOPES =
      "[\"producer\",\"worker\",\"operator\",\"tenant-reader\",\"tenant-replay\"]";

  /** A mark that stands in all that belongs to the victim. */
  private static final String MARK = "victim";

  private static final String SOME_EVENT = "0199c0de-0000-7000-8000-000000000000";

  private final TestingApi api;
  private String event = "";
  private String redrive = "";
  private String schedule = "";
  private String deadLetter = "";
  private String permit = "";
  private String intruder = "";

  TenantIsolationTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void twoTenants() {
    for (String id : new String[] {"victim", "other"}) {
      api.post("/v1/tenants", "{\"id\":\"%s\"}".formatted(id));
      Answered made =
          api.post(
              "/v1/destinations",
              "{\"id\":\"of-%s\",\"tenant\":\"%s\",\"url\":\"http://127.0.0.1:9999/\",\"types\":[]}"
                  .formatted(id, id));
      assertThat(made.status()).isEqualTo(201);
      api.post(
          "/v1/destinations",
          "{\"id\":\"tube-of-%s\",\"tenant\":\"%s\",\"mode\":\"pull\"}".formatted(id, id));
      if (id.equals("victim")) {
        permit =
            api.post("/v1/destinations/of-victim/permits", "{}")
                .json()
                .at("/permits/0/id")
                .asString("");
        assertThat(permit).isNotEmpty();
      }
      api.post("/v1/destinations/of-%s/pause".formatted(id), "{\"reason\":\"test\"}");
    }
    event =
        api.post(
                "/v1/events", "{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":\"victim's own\"}")
            .text("event_id");
    redrive =
        api.post("/v1/redrives", "{\"destination\":\"of-victim\",\"reason\":\"victim's own\"}")
            .json()
            .at("/items/0/id")
            .asString("");
    assertThat(redrive).startsWith("rdr_");
    schedule =
        api.post(
                "/v1/schedules",
                "{\"every\":\"1d\",\"reason\":\"victim's own\","
                    + "\"event\":{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":1}}")
            .text("id");
    assertThat(schedule).startsWith("sch_");
    api.post(
        "/v1/destinations",
        "{\"id\":\"dead-victim\",\"tenant\":\"victim\",\"url\":\"http://127.0.0.1:9999/\"}");
    api.post("/v1/destinations/dead-victim/disable", "{\"reason\":\"test\"}");
    api.post(
        "/v1/events",
        "{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":1,\"destinations\":[\"dead-victim\"]}");
    deadLetter = api.get("/v1/shelf").json().at("/items/0/number").asString("");
    assertThat(deadLetter).isNotEmpty();
    intruder = api.key(ALL_SCOPES, "[\"other\"]");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @TestFactory
  @DisplayName("case 38: no route shows or changes what is another tenant's")
  Stream<DynamicTest> everyRouteKeepsTenantsApart() {
    return api.routes().stream()
        .filter(route -> !route.isPublic() && !route.path().equals("/metrics"))
        .map(route ->
            DynamicTest.dynamicTest(route.method() + " " + route.path(), () -> walk(route)));
  }

  private void walk(Route route) {
    String path =
        route
            .path()
            .replace("{tenant}", "victim")
            .replace(
                "{destination}",
                route.path().startsWith("/v1/tubes") ? "tube-of-victim" : "of-victim")
            .replace("{version}", "1")
            .replace("{event}", event)
            .replace("{redrive}", redrive)
            .replace("{schedule}", schedule)
            .replace("{number}", deadLetter)
            .replace("{permit}", permit)
            .replace("{key}", intruder.substring(0, 11));
    if (route.query().contains("tenant")) {
      path += "?tenant=victim";
    }
    Answered answered = api.call(route.method(), path, intruder, body(route), Map.of());
    String text = new String(answered.response().body(), StandardCharsets.UTF_8);
    boolean isList = route.query().contains("cursor") && !route.path().contains("{");
    if (isList) {
      // Its own things may be there, the other's never.
      assertThat(answered.status()).isEqualTo(200);
      assertThat(text).doesNotContain(MARK).doesNotContain(event);
    } else {
      assertThat(answered.status()).as(text).isIn(403, 404);
      assertThat(text).doesNotContain("victim's own").doesNotContain("127.0.0.1:9999");
    }
  }

  private static @Nullable String body(Route route) {
    if (route.method().equals("GET")) {
      return null;
    }
    return switch (route.path()) {
      case "/v1/events" -> "{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":1}";
      case "/v1/events/batch" ->
          "{\"events\":[{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":1}]}";
      case "/v1/destinations/{destination}/subscription" -> "{\"types\":[]}";
      case "/v1/destinations" -> "{\"tenant\":\"victim\",\"url\":\"http://127.0.0.1:9999/\"}";
      case "/v1/redrives", "/v1/redrives/plan" ->
          "{\"destination\":\"of-victim\",\"reason\":\"intrusion\"}";
      case "/v1/schedules" ->
          "{\"every\":\"1d\",\"event\":{\"tenant\":\"victim\",\"type\":\"t\",\"payload\":1}}";
      case "/v1/deliveries/cancel" -> "{\"destination\":\"of-victim\",\"reason\":\"x\"}";
      case "/v1/tenants" -> "{\"id\":\"third\"}";
      case "/v1/jobs/lease" -> "{\"worker\":\"w\",\"tubes\":[\"tube-of-victim\"]}";
      case "/v1/jobs/renew", "/v1/jobs/complete", "/v1/jobs/fail", "/v1/jobs/release" ->
          "{\"jobs\":[{\"tube\":\"tube-of-victim\",\"job\":\"%s\",\"lease_no\":1}]}"
              .formatted(SOME_EVENT);
      case "/v1/keys" -> "{\"scopes\":[\"operator\"]}";
      default -> "{\"reason\":\"intrusion\"}";
    };
  }

  @Test
  @DisplayName("case 38: a list without a filter shows only the key's own tenants")
  void listsAreNarrowedToTheKeysTenants() {
    for (String path :
        Set.of(
            "/v1/destinations",
            "/v1/deliveries",
            "/v1/redrives",
            "/v1/schedules",
            "/v1/tenants",
            "/v1/tubes",
            "/v1/shelf",
            "/v1/shelf/groups",
            "/v1/shelf/export",
            "/v1/audit",
            "/v1/audit/export")) {
      String text =
          new String(
              api.call("GET", path, intruder, null, Map.of()).response().body(),
              StandardCharsets.UTF_8);
      assertThat(text).as(path).doesNotContain("victim").doesNotContain(event);
    }
    assertThat(
            api.call("GET", "/v1/destinations", intruder, null, Map.of())
                .json()
                .path("items")
                .size())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("case 38: an event of one tenant cannot be sent to a destination of another")
  void aDestinationOfAnotherTenantIsUnknown() {
    Answered answered =
        api.call(
            "POST",
            "/v1/events",
            intruder,
            "{\"type\":\"t\",\"payload\":1,\"destinations\":[\"of-victim\"]}",
            Map.of());
    assertThat(answered.status()).isEqualTo(422);
  }

  @Test
  void nothingWasChangedByAllThis() {
    Answered delivery = api.get("/v1/deliveries/of-victim/" + event);
    assertThat(delivery.json().at("/delivery/state").asString("")).isEqualTo("paused");
  }

  @TestFactory
  Stream<DynamicTest> everyRouteThatIsNotPublicWantsAKey() {
    return api.routes().stream()
        .filter(route -> !route.isPublic())
        .map(route ->
            DynamicTest.dynamicTest(
                route.method() + " " + route.path(),
                () -> {
                  String path = route.path().replaceAll("\\{\\w+}", "x");
                  Answered answered = api.call(route.method(), path, "none", body(route), Map.of());
                  assertThat(answered.status()).isEqualTo(401);
                }));
  }
}
