package io.penstock.server.history;

import io.penstock.postgres.history.GateRow;
import io.penstock.postgres.history.HistoryReads;
import io.penstock.postgres.history.HistoryRow;
import io.penstock.postgres.history.LimitsRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a destination's budget or gate, in words. Pure.
 *
 * @param kind the stable word: {@code cut}, {@code parked}, {@code probe_failed}, {@code unparked},
 *     {@code closed}, {@code limit} (this one has another), {@code limits_version} (the file
 *     changed, for it or for others), or a word for what was done to a gate
 * @param text for people
 * @param times how often within the time that its point stands for
 * @param cause a status or a word; null = an operator did it
 * @param before the rate before it, per second; null = it does not touch the rate
 * @param after the rate after it
 * @param actor who did it; null = Penstock's own rules, or the caller may not know
 */
record Happening(
    Instant at,
    String kind,
    String text,
    int times,
    @Nullable String cause,
    @Nullable Double before,
    @Nullable Double after,
    @Nullable String actor) {

  /**
   * All that happened, in the order of time, to the second.
   *
   * @param withActors whether the caller may know who did what and why; tenants may not
   */
  static List<Happening> of(HistoryReads.Stretch stretch, boolean withActors) {
    List<Happening> all = new ArrayList<>();
    stretch.gates().forEach(gate -> all.add(gate(gate, withActors)));
    if (withActors) {
      stretch.versions().forEach(version -> all.add(version(version)));
    }
    HistoryRow last = stretch.before();
    for (HistoryRow row : stretch.points()) {
      if (!row.isRate()) {
        all.add(mark(row));
      } else {
        if (last != null && last.ceiling() != row.ceiling()) {
          all.add(limit(last, row));
        }
        last = row;
      }
    }
    // Marks know their second only. Within one the gate comes first, which lets a probe go or stops
    // what follows; stable, so that a cut stays before its park.
    all.sort(Comparator.comparing(one -> one.at().truncatedTo(ChronoUnit.SECONDS)));
    return all;
  }

  private static Happening mark(HistoryRow row) {
    double before = row.before() == null ? row.rate() : row.before();
    String text =
        switch (row.kind()) {
          case "cut" ->
              "%s%s: rate %s → %s"
                  .formatted(
                      row.cause(),
                      row.times() > 1 ? " (%,d cuts)".formatted(row.times()) : "",
                      number(before),
                      number(row.rate()));
          case "parked" ->
              "parked (%s in a row, the last one %s)".formatted(failures(row), row.cause());
          case "probe_failed" ->
              "probe failed (%s%s): still parked, %s in a row"
                  .formatted(
                      row.cause(),
                      row.times() > 1 ? ", %,d probes".formatted(row.times()) : "",
                      failures(row));
          case "unparked" ->
              "open again: the probe got %s; the rate begins at %s"
                  .formatted(row.cause(), number(row.rate()));
          case "closed" -> closed(row.cause());
          default -> row.kind();
        };
    return new Happening(
        row.at(), row.kind(), text, row.times(), row.cause(), before, row.rate(), null);
  }

  private static String failures(HistoryRow row) {
    return row.failures() == 1 ? "1 failure" : "%,d failures".formatted(row.failures());
  }

  private static String closed(String cause) {
    return switch (cause) {
      case "held_rejected" -> "held: the receiver rejected everything for a while";
      case "held_unauthorised" -> "held: the receiver does not accept our credential";
      case "held_misconfigured" -> "held: our configuration of it is wrong";
      case "gone" -> "disabled: the receiver is gone for good (410)";
      default -> "closed: " + cause;
    };
  }

  private static Happening limit(HistoryRow before, HistoryRow after) {
    return new Happening(
        after.at(),
        "limit",
        "limit in force: rate_per_second %s → %s"
            .formatted(number(before.ceiling()), number(after.ceiling())),
        1,
        null,
        before.ceiling(),
        after.ceiling(),
        null);
  }

  private static Happening version(LimitsRow version) {
    String who = version.author().isEmpty() ? version.source() : version.author();
    String why = version.reason().isEmpty() ? "" : ": " + version.reason();
    return new Happening(
        version.at(),
        "limits_version",
        "limits.yaml is version %d, by %s%s".formatted(version.versionNo(), who, why),
        1,
        null,
        null,
        null,
        who);
  }

  private static Happening gate(GateRow gate, boolean withActors) {
    String verb = gate.action().substring(gate.action().indexOf('.') + 1);
    String what =
        switch (gate.scope()) {
          case "tenant" -> "the tenant: ";
          case "everything" -> "everything: ";
          default -> "";
        };
    String by =
        !withActors
            ? ""
            : gate.reason().isEmpty()
                ? " by " + gate.actor()
                : " by %s: %s".formatted(gate.actor(), gate.reason());
    return new Happening(
        gate.at(),
        verb,
        what + past(verb) + by,
        1,
        null,
        null,
        null,
        withActors ? gate.actor() : null);
  }

  private static String past(String verb) {
    return switch (verb) {
      case "hold" -> "held";
      default -> verb.endsWith("e") ? verb + "d" : verb + "ed";
    };
  }

  static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
  }
}
