package io.penstock.server.client;

import java.util.ArrayList;
import java.util.List;

/** Lines of text in columns as wide as they need to be. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these heads. */
  public Table(String... heads) {
    rows.add(List.of(heads));
  }

  /** One more row, as many cells as there are heads. */
  public Table row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** Whether there is no row below the heads. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString().stripTrailing();
  }
}
