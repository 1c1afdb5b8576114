package io.penstock.server.demo;

import io.penstock.server.client.ApiClient;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The books of one destination, drawn up from the API at the end: every accepted event must be
 * delivered (and its receiver must have it), or wait, or lie on the shelf with a reason.
 */
record Accounts(long delivered, long waiting, long dead, long lost, long unexplained) {

  /** Looks every accepted event up. */
  static Accounts draw(ApiClient api, String destination, Set<String> accepted, Tally tally) {
    Set<String> missing = new HashSet<>(accepted);
    long delivered = 0;
    long waiting = 0;
    long dead = 0;
    long lost = 0;
    long unexplained = 0;
    boolean explained = isExplained(api, destination);
    String cursor = "";
    do {
      JsonNode page =
          api.get("/v1/deliveries?limit=250&destination=%s%s".formatted(destination, cursor));
      for (JsonNode item : page.path("items")) {
        String event = item.path("event_id").asString("");
        if (!missing.remove(event)) {
          continue;
        }
        switch (item.path("state").asString("")) {
          case "delivered" -> {
            delivered++;
            lost += tally.has(event) ? 0 : 1;
          }
          case "dead", "cancelled" -> {
            dead++;
            unexplained += item.has("reason") ? 0 : 1;
          }
          default -> {
            waiting++;
            unexplained += explained ? 0 : 1;
          }
        }
      }
      cursor = "&cursor=" + page.path("next_cursor").asString("");
    } while (!cursor.equals("&cursor="));
    return new Accounts(delivered, waiting, dead, lost + missing.size(), unexplained);
  }

  private static boolean isExplained(ApiClient api, String destination) {
    JsonNode why = api.get("/v1/destinations/%s/why".formatted(destination));
    return !why.path("sentence").asString("").isEmpty();
  }
}
