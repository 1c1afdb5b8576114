package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Goes through pages of a list. */
final class Listing {
  /** Pages asked for one listing: of a sparse filter each looks at some thousand records. */
  private static final int MOST_PAGES = 1_000;

  private Listing() {}

  /**
   * One page of as many items as were asked for, also when the server's pages come short because
   * few records match.
   *
   * @param path of a cursor and how many are still wanted
   */
  static JsonNode filled(ApiClient client, int wanted, @Nullable String cursor, PagePath path) {
    JsonNode page = client.get(path.of(cursor, wanted));
    if (!(page instanceof ObjectNode whole && page.path("items") instanceof ArrayNode items)) {
      return page;
    }
    for (int i = 0; i < MOST_PAGES && items.size() < wanted && page.has("next_cursor"); i++) {
      page = client.get(path.of(page.path("next_cursor").asString(""), wanted - items.size()));
      page.path("items").forEach(items::add);
    }
    whole.set("has_more", page.path("has_more"));
    if (page.has("next_cursor")) {
      whole.set("next_cursor", page.path("next_cursor"));
    } else {
      whole.remove("next_cursor");
    }
    return whole;
  }

  /** Where a page is. */
  @FunctionalInterface
  interface PagePath {
    String of(@Nullable String cursor, int limit);
  }

  /** Prints all pages of JSON lines, each as it comes. */
  static int lines(ApiOptions api, Function<@Nullable String, String> path) {
    return api.each(client -> {
      var out = Output.of(api.spec);
      Optional<String> cursor = Optional.empty();
      do {
        ApiClient.Lines page = client.lines(path.apply(cursor.orElse(null)));
        out.print(page.text());
        out.flush();
        cursor = page.next();
      } while (cursor.isPresent() && !out.checkError());
    });
  }

  /** What says that there is more. */
  static String more(JsonNode page) {
    return page.path("has_more").asBoolean(false)
        ? "\nmore: --cursor " + page.path("next_cursor").asString("")
        : "";
  }
}
