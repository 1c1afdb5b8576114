package io.penstock.server.yaml;

/**
 * Something wrong in a file.
 *
 * @param key the path of keys that leads there, for instance {@code destinations.dst_1.burst};
 *     empty when the file as a whole is at fault
 * @param message what was got, what is wanted, what to do
 */
public record Fault(Place place, String key, String message) {
  @Override
  public String toString() {
    return key.isEmpty()
        ? "%s: %s".formatted(place, message)
        : "%s: %s: %s".formatted(place, key, message);
  }
}
