package io.penstock.gameday.sim;

import io.penstock.budget.SystemAccess;
import io.penstock.gameday.lab.BudgetLab;
import io.penstock.gameday.lab.TubesLab;
import io.penstock.gameday.report.Report;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock sim}: thousands of bad days, each from a seed; a bad end is told as a story. */
@Command(
    name = "sim",
    subcommands = {BudgetLab.class, TubesLab.class},
    description = "Runs the real engine on simulated time through worlds made from seeds.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "[COMMAND]")
public final class SimCommand implements Callable<Integer> {
  /** Lines of a story that are printed: a shrunken one is shorter. */
  private static final int MOST_LINES = 120;

  @Option(names = "--seeds", description = "How many seeds to run; default 1000.")
  private @Nullable Long seeds;

  @Option(names = "--for", description = "Runs fresh seeds for so long: 60s, 10m, 3h.")
  private @Nullable String during;

  @Option(names = "--seed", description = "Runs this seed alone and tells its story.")
  private @Nullable Long seed;

  @Option(names = "--from", description = "The first seed; default 1, or a fresh one with --for.")
  private @Nullable Long from;

  @Option(names = "--threads", description = "Worlds at a time; default one per processor.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--plant",
      description = "Plants a fault, which must then be found: ${COMPLETION-CANDIDATES}.")
  private Planted planted = Planted.NONE;

  @Option(names = "--json", description = "Ends with one line that holds one object.")
  private boolean json;

  @CommandLine.Spec
  private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (seed != null) {
      return one(out, seed);
    }
    long first = from != null ? from : during != null ? freshSeed() : 1;
    Duration limit = during == null ? null : duration(during);
    long count = seeds != null ? seeds : during != null ? Long.MAX_VALUE : 1_000;
    out.printf(
        Locale.ROOT,
        "seeds from %d, %s, %d at a time, planted fault: %s%n",
        first,
        limit == null ? count + " of them" : "for " + limit.toSeconds() + " s",
        threads,
        planted.word());
    out.flush();
    Sweep sweep = new Sweep(first, count, limit, threads, planted, soFar -> progress(out, soFar));
    Sweep.Outcome outcome = sweep.run();
    Simulation.Result failed = outcome.failed();
    if (failed != null) {
      tell(out, Shrinker.shrink(failed, planted), planted);
    }
    return report(outcome, first).print(out, json);
  }

  private Integer one(PrintWriter out, long only) {
    out.printf("seed %d, planted fault: %s%n", only, planted.word());
    Plan plan = Plan.of(only);
    out.printf(
        "%d nodes with %d slots, %d shards, %s%n",
        plan.nodes(), plan.nodeSlots(), plan.shards(), plan.limits());
    out.flush();
    Simulation.Result result = Simulation.run(plan, planted, true);
    result.story().lines(line -> true).forEach(out::println);
    BrokenPromise broken = result.broken();
    if (broken != null) {
      out.println("cut short:");
      tell(out, Shrinker.shrink(result, planted), planted);
    }
    return new Report("sim")
        .figure("sends", result.sends())
        .figure("commits", result.commits())
        .figure("simulated_seconds", result.simulated().toSeconds())
        .setting("seed", only)
        .setting("planted", planted.word())
        .setting("story_hash", Long.toHexString(result.hash()))
        .bar("promises", "all kept", broken == null ? "all kept" : broken.promise, broken == null)
        .print(out, json);
  }

  /** A line a minute; the heap is told so that a night shows whether it grows. */
  private static void progress(PrintWriter out, Sweep.Outcome soFar) {
    Runtime runtime = Runtime.getRuntime();
    out.printf(
        Locale.ROOT,
        "%d min: %d seeds, all promises kept, %d MB of heap in use%n",
        soFar.took().toMinutes(),
        soFar.seeds(),
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    out.flush();
  }

  private static void tell(PrintWriter out, Simulation.Result result, Planted planted) {
    BrokenPromise broken = result.broken();
    if (broken == null) {
      out.println("the shortened run broke nothing");
      return;
    }
    Plan plan = result.plan();
    out.printf("seed %d: %s%n", plan.seed(), broken.getMessage());
    out.printf(
        "replay it on this commit: ./penstock sim --seed %d%s%n",
        plan.seed(), planted == Planted.NONE ? "" : " --plant " + planted);
    out.printf("with %d nodes and these acts:%n", plan.nodes());
    plan.acts()
        .forEach(timed -> out.printf(Locale.ROOT, "%10.4f s  %s%n", timed.at() / 1e9, timed.act()));
    List<Story.Line> lines =
        result.story().lines(line -> line.about().isEmpty() || line.about().equals(broken.about));
    out.println("it went like this:");
    lines.stream().skip(Math.max(0, lines.size() - MOST_LINES)).forEach(out::println);
    out.flush();
  }

  private Report report(Sweep.Outcome outcome, long first) {
    Simulation.Result failed = outcome.failed();
    double seconds = outcome.took().toMillis() / 1e3;
    Report report =
        new Report("sim")
            .figure("seeds", outcome.seeds())
            .figure("seconds", seconds)
            .figure("seeds_per_second", outcome.seeds() / Math.max(1e-3, seconds))
            .figure("simulated_hours", outcome.simulated().toSeconds() / 3_600.0)
            .figure("sends", outcome.sends())
            .figure("commits", outcome.commits())
            .setting("from", first)
            .setting("threads", threads)
            .setting("planted", planted.word());
    BrokenPromise broken = failed == null ? null : failed.broken();
    return report.bar(
        "promises",
        "all kept",
        failed == null || broken == null
            ? "all kept"
            : broken.promise + " (seed " + failed.plan().seed() + ")",
        broken == null);
  }

  private static Duration duration(String text) {
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  @SystemAccess("fresh seeds come from the time; they are printed, so that a run can be repeated")
  private static long freshSeed() {
    return System.currentTimeMillis();
  }
}
