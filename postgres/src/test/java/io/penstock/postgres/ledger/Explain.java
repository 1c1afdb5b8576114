package io.penstock.postgres.ledger;

import static java.util.Objects.requireNonNull;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/** Shows the plan of a statement as the ledger's connections cache it: prepared and generic. */
public final class Explain {
  private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-zA-Z]+)");

  private static final Pattern COUNTED = Pattern.compile("(?:hit|read)=([0-9]+)");

  private Explain() {}

  /** A parameter: its type, and an expression for its value. */
  public record Parameter(String type, String value) {}

  /**
   * The lines of the plan; inside the caller's transaction, whose settings count.
   *
   * @param parameters by the names in {@code sql}
   */
  public static List<String> generic(Handle handle, String sql, Map<String, Parameter> parameters) {
    return explain(handle, sql, parameters, "costs off");
  }

  /** How many pages of shared memory a reading statement touches when it runs. */
  public static long buffers(Handle handle, String sql, Map<String, Parameter> parameters) {
    return buffers(
        explain(handle, sql, parameters, "analyze, buffers, costs off, timing off, summary off"));
  }

  /** The same of lines that are at hand already. */
  public static long buffers(List<String> plan) {
    // The top node comes first, and its count includes those below it.
    String top =
        plan.stream().filter(line -> line.contains("Buffers: shared")).findFirst().orElse("");
    return COUNTED.matcher(top).results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
  }

  private static List<String> explain(
      Handle handle, String sql, Map<String, Parameter> parameters, String options) {
    List<String> names = new ArrayList<>();
    String numbered =
        PARAMETER
            .matcher(sql)
            .replaceAll((MatchResult found) -> {
              if (!names.contains(found.group(1))) {
                names.add(found.group(1));
              }
              return "\\$" + (names.indexOf(found.group(1)) + 1);
            });
    List<Parameter> used =
        names.stream().map(name -> requireNonNull(parameters.get(name), name)).toList();
    List<String> types = used.stream().map(Parameter::type).toList();
    List<String> values = used.stream().map(Parameter::value).toList();
    handle.execute("set local plan_cache_mode = force_generic_plan");
    handle.execute("deallocate all");
    execute(handle, "prepare explained(" + String.join(", ", types) + ") as " + numbered);
    return query(
        handle, "explain (" + options + ") execute explained(" + String.join(", ", values) + ")");
  }

  private static void execute(Handle handle, String sql) {
    try (var statement = handle.getConnection().createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private static List<String> query(Handle handle, String sql) {
    List<String> lines = new ArrayList<>();
    try (var statement = handle.getConnection().createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
    return lines;
  }

  /**
   * Nested loops whose inner side goes through a whole list of the batch each time: the second
   * child of a nested loop is a scan of a CTE or of a function.
   */
  public static List<String> quadratic(List<String> plan) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      String line = plan.get(i);
      if (line.contains("Nested Loop")) {
        int children = 0;
        int indent = Math.max(line.indexOf("->"), 0);
        for (int j = i + 1; j < plan.size() && depth(plan.get(j)) > indent; j++) {
          boolean child = depth(plan.get(j)) == indent + 6 && plan.get(j).contains("->");
          children += child ? 1 : 0;
          if (child && children == 2 && plan.get(j).matches(".*-> +(CTE|Function) Scan.*")) {
            found.add(plan.get(j).strip());
          }
        }
      }
    }
    return found;
  }

  private static int depth(String line) {
    int arrow = line.indexOf("->");
    return arrow >= 0 ? arrow : line.length() - line.stripLeading().length();
  }
}
