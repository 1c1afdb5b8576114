package io.penstock.server.yaml;

/**
 * A place in a file, as editors and compilers write it.
 *
 * @param line from 1
 * @param column from 1
 */
public record Place(String file, int line, int column) {
  @Override
  public String toString() {
    return "%s:%d:%d".formatted(file, line, column);
  }
}
