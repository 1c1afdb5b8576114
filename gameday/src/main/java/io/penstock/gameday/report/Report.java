package io.penstock.gameday.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of one bench, simulation or game day: figures (a flat map, units in the names), bars
 * that were wanted against what was got, and the settings it ran with. Printed as a table or, with
 * {@code --json}, ended by one line with one object. Filled by one thread.
 */
public final class Report {
  /** The exit code of a run that met every bar. */
  public static final int MET = 0;

  /** The exit code of a run that missed a bar. */
  public static final int MISSED = 1;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** One bar; {@code wanted} and {@code got} are written for people, with their units. */
  public record Bar(String name, String wanted, String got, boolean ok) {}

  private final String name;
  private final Map<String, Object> figures = new LinkedHashMap<>();
  private final List<Bar> bars = new ArrayList<>();
  private final Map<String, Object> settings = new LinkedHashMap<>();

  public Report(String name) {
    this.name = name;
  }

  /** A figure; its name ends in its unit. */
  public Report figure(String key, double value) {
    figures.put(key, rounded(value));
    return this;
  }

  /** A whole figure; its name ends in its unit. */
  public Report figure(String key, long value) {
    figures.put(key, value);
    return this;
  }

  /** A setting of the run: a seed, a length, a version. */
  public Report setting(String key, Object value) {
    settings.put(key, value);
    return this;
  }

  /** A bar that {@code got} must reach. */
  public Report atLeast(String bar, double got, double wanted, String unit) {
    return bar(bar, "at least " + text(wanted, unit), text(got, unit), got >= wanted);
  }

  /** A bar that {@code got} must not exceed. */
  public Report atMost(String bar, double got, double wanted, String unit) {
    return bar(bar, "at most " + text(wanted, unit), text(got, unit), got <= wanted);
  }

  /** Any other bar. */
  public Report bar(String bar, String wanted, String got, boolean ok) {
    bars.add(new Bar(bar, wanted, got, ok));
    return this;
  }

  public boolean met() {
    return bars.stream().allMatch(Bar::ok);
  }

  /** Prints everything; the returned exit code is 0 only when every bar was met. */
  public int print(PrintWriter out, boolean json) {
    if (json) {
      out.println(line());
    } else {
      figures.forEach((key, value) -> out.printf(Locale.ROOT, "  %-56s %12s%n", key, value));
      for (Bar bar : bars) {
        out.printf(
            "%s %s: wanted %s, got %s%n",
            bar.ok() ? "met   " : "MISSED", bar.name(), bar.wanted(), bar.got());
      }
      out.printf("%s: %s%n", name, met() ? "every bar met" : "a bar was missed");
    }
    out.flush();
    return met() ? MET : MISSED;
  }

  private String line() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", name);
    object.put("figures", figures);
    object.put("bars", bars);
    object.put("settings", settings);
    return JSON.writeValueAsString(object);
  }

  private static String text(double value, String unit) {
    Object shown = rounded(value);
    return unit.isEmpty() ? shown.toString() : shown + " " + unit;
  }

  /** Four significant figures are more than any bench repeats; JSON knows no infinity. */
  private static Object rounded(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "none";
    }
    double magnitude = Math.abs(value);
    if (magnitude >= 1_000 || value == Math.rint(value)) {
      return Math.round(value);
    }
    double scale = magnitude >= 100 ? 10 : magnitude >= 10 ? 100 : 10_000;
    return Math.round(value * scale) / scale;
  }
}
