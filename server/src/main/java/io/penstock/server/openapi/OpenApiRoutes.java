package io.penstock.server.openapi;

import io.penstock.server.http.Answer;
import io.penstock.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/** Serves the description of the API, which a test holds against the routes. */
public final class OpenApiRoutes {
  private final byte[] document = load();

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/openapi.json",
            Route.PUBLIC,
            Set.of(),
            _ -> Answer.of(200, "application/json", document)));
  }

  private static byte[] load() {
    try (InputStream in = OpenApiRoutes.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("openapi.json is missing from the build");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("openapi.json cannot be read", e);
    }
  }
}
