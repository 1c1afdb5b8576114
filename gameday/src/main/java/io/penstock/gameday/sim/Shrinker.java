package io.penstock.gameday.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a failing run to a short one that breaks the same promise: takes acts away, in halves and
 * then one by one, makes posts smaller, and lets fewer nodes run. What is left is a story that a
 * person can read.
 */
final class Shrinker {
  /** Runs that a shrinking may take; a run takes some ten milliseconds. */
  private static final int MOST_RUNS = 400;

  private final Planted planted;
  private final String promise;
  private int runs;

  private Shrinker(Planted planted, String promise) {
    this.planted = planted;
    this.promise = promise;
  }

  /** The shortest run found that breaks the same promise, told. */
  static Simulation.Result shrink(Simulation.Result failed, Planted planted) {
    BrokenPromise broken = failed.broken();
    if (broken == null) {
      throw new IllegalArgumentException("this run broke no promise");
    }
    Shrinker shrinker = new Shrinker(planted, broken.promise);
    Plan plan = shrinker.fewerActs(shrinker.upTo(failed.plan(), failed.simulated()));
    plan = shrinker.fewerNodes(plan);
    plan = shrinker.smallerPosts(plan);
    plan = shrinker.fewerActs(plan);
    return Simulation.run(plan, planted, true);
  }

  private boolean breaks(Plan plan) {
    if (runs++ >= MOST_RUNS) {
      return false;
    }
    BrokenPromise broken = Simulation.run(plan, planted, false).broken();
    return broken != null && broken.promise.equals(promise);
  }

  /** Without what would have come later. */
  private Plan upTo(Plan plan, Duration end) {
    Plan candidate =
        plan.with(plan.acts().stream().filter(timed -> timed.at() <= end.toNanos()).toList());
    return breaks(candidate) ? candidate : plan;
  }

  private Plan fewerActs(Plan plan) {
    Plan best = plan;
    for (int size = Math.max(1, plan.acts().size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < best.acts().size(); ) {
        List<Plan.Timed> fewer = new ArrayList<>(best.acts());
        fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
        Plan candidate = best.with(fewer);
        if (breaks(candidate)) {
          best = candidate;
        } else {
          from += size;
        }
      }
    }
    return best;
  }

  private Plan fewerNodes(Plan plan) {
    Plan best = plan;
    while (best.nodes() > 1) {
      Plan candidate = best.withNodes(best.nodes() - 1);
      if (!breaks(candidate)) {
        return best;
      }
      best = candidate;
    }
    return best;
  }

  private Plan smallerPosts(Plan plan) {
    Plan best = plan;
    for (int i = 0; i < plan.acts().size(); i++) {
      Plan.Timed timed = plan.acts().get(i);
      if (timed.act() instanceof Act.Post post && post.count() > 1) {
        List<Plan.Timed> smaller = new ArrayList<>(best.acts());
        Act.Post one =
            new Act.Post(post.destinationId(), 1, post.urgency(), post.bodyBytes(), post.retried());
        smaller.set(i, new Plan.Timed(timed.at(), one));
        Plan candidate = best.with(smaller);
        if (breaks(candidate)) {
          best = candidate;
        }
      }
    }
    return best;
  }
}
