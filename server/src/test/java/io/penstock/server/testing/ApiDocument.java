package io.penstock.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document, which every answer of a test is held against. */
public final class ApiDocument {
  private final JsonNode root;

  private ApiDocument(JsonNode root) {
    this.root = root;
  }

  /** The document as the server ships it. */
  public static ApiDocument load() {
    try (InputStream in =
        ApiDocument.class.getResourceAsStream("/io/penstock/server/openapi/openapi.json")) {
      return new ApiDocument(
          Json.tree(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonNode root() {
    return root;
  }

  /** Fails when the document does not know such an answer of this path. */
  void check(String method, String path, int status, JsonNode body) {
    Optional<JsonNode> operation = operation(method, path);
    if (operation.isEmpty()) {
      // No such route: the answer must be a problem all the same.
      check("the problem", root.at("/components/schemas/Problem"), body);
      return;
    }
    JsonNode responses = operation.get().path("responses");
    JsonNode response =
        responses.has(Integer.toString(status))
            ? responses.path(Integer.toString(status))
            : responses.path("default");
    assertThat(response.isMissingNode())
        .as("%s %s may not answer %d: %s", method, path, status, body)
        .isFalse();
    for (Map.Entry<String, JsonNode> content : response.path("content").properties()) {
      check(method + " " + path, content.getValue().path("schema"), body);
    }
  }

  private Optional<JsonNode> operation(String method, String path) {
    return root.path("paths").properties().stream()
        .filter(e -> Pattern.matches(e.getKey().replaceAll("\\{\\w+}", "[^/]+"), path))
        // The literal path before the one with parameters.
        .min(java.util.Comparator.comparingInt(e -> e.getKey().split("\\{", -1).length))
        .map(e -> e.getValue().path(method.toLowerCase(Locale.ROOT)))
        .filter(o -> !o.isMissingNode());
  }

  private void check(String at, JsonNode schema, JsonNode value) {
    if (schema.has("$ref")) {
      check(at, root.at(schema.path("$ref").asString("").substring(1)), value);
      return;
    }
    switch (schema.path("type").asString("")) {
      case "object" -> checkObject(at, schema, value);
      case "array" -> {
        assertThat(value.isArray()).as("%s is a list: %s", at, value).isTrue();
        int i = 0;
        for (JsonNode item : value) {
          check("%s[%d]".formatted(at, i++), schema.path("items"), item);
        }
      }
      case "string" -> {
        assertThat(value.isString()).as("%s is a text: %s", at, value).isTrue();
        if (schema.has("enum")) {
          assertThat(schema.path("enum").values()).as(at).contains(value);
        }
        if (schema.has("pattern")) {
          assertThat(value.asString("")).as(at).matches(schema.path("pattern").asString(""));
        }
      }
      case "integer" ->
          assertThat(value.isIntegralNumber()).as("%s is whole: %s", at, value).isTrue();
      case "number" -> assertThat(value.isNumber()).as("%s is a number: %s", at, value).isTrue();
      case "boolean" -> assertThat(value.isBoolean()).as("%s is true or false", at).isTrue();
      default -> assertThat(schema.has("type")).as("%s has a known type", at).isFalse();
    }
  }

  private void checkObject(String at, JsonNode schema, JsonNode value) {
    assertThat(value.isObject()).as("%s is an object: %s", at, value).isTrue();
    schema
        .path("required")
        .forEach(name ->
            assertThat(value.has(name.asString(""))).as("%s has %s: %s", at, name, value).isTrue());
    JsonNode others = schema.path("additionalProperties");
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      JsonNode known = schema.path("properties").path(member.getKey());
      String path = at + "." + member.getKey();
      if (!known.isMissingNode()) {
        check(path, known, member.getValue());
      } else if (others.isObject()) {
        check(path, others, member.getValue());
      } else {
        assertThat(others.isBoolean() && !others.asBoolean(true))
            .as("%s is not in the document", path)
            .isFalse();
      }
    }
  }
}
