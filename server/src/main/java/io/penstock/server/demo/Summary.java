package io.penstock.server.demo;

import java.util.List;
import java.util.Map;

/**
 * How the demo went, in the form of every bench of the project.
 *
 * @param figures a flat map with units in the names
 */
public record Summary(
    String name, Map<String, Object> figures, List<Bar> bars, Map<String, Object> settings) {

  /** Something that had to be reached; wanted and got are written for people. */
  public record Bar(String name, String wanted, String got, boolean ok) {}

  /** Whether every bar was met. */
  public boolean met() {
    return bars.stream().allMatch(Bar::ok);
  }
}
