package io.penstock.server.limits;

import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.TenantLimits;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import io.penstock.server.yaml.Place;
import io.penstock.server.yaml.Yaml;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code limits.yaml}: whole or not at all, with everything that is wrong named at once, each
 * with file, line, column, key, value and what is wanted. Pure; for one reading.
 */
public final class LimitsReader {
  private static final Comparator<Fault> BY_PLACE =
      Comparator.comparingInt((Fault f) -> f.place().line())
          .thenComparingInt(f -> f.place().column());

  /** More faults than this are no help, and a hostile file has millions. */
  static final int MOST_FAULTS = 100;

  private final List<Fault> faults = new ArrayList<>();
  private int unnamed;

  private LimitsReader() {}

  /**
   * What a text says.
   *
   * @param destinations where the limits of each destination stand, by id
   */
  public record Reading(LimitsDocument document, Map<String, Place> destinations) {
    public Reading {
      destinations = Map.copyOf(destinations);
    }
  }

  /**
   * Reads a text.
   *
   * @param file its name, for messages
   * @throws FaultyFileException with all faults in the order of the file, at most 100 of them
   */
  public static LimitsDocument read(String file, String text) {
    return readAll(file, text).document();
  }

  /** The same, with where each destination stands. */
  public static Reading readAll(String file, String text) {
    LimitsReader reader = new LimitsReader();
    Yaml.Mapping top = Yaml.parse(file, text);
    LimitsDocument document = reader.document(top);
    if (!reader.faults.isEmpty()) {
      reader.faults.sort(BY_PLACE);
      if (reader.unnamed > 0) {
        reader.faults.add(
            new Fault(
                top.place(), "", "and %,d more faults, not named here".formatted(reader.unnamed)));
      }
      throw new FaultyFileException(reader.faults);
    }
    return new Reading(document, placesOf(top));
  }

  private void add(Fault fault) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(fault);
    } else {
      unnamed++;
    }
  }

  private LimitsDocument document(Yaml.Mapping mapping) {
    Section top = new Section(mapping, "", this::add);
    DestinationLimits defaults =
        top.below("defaults")
            .map(s -> DestinationSection.read(s, DestinationLimits.DEFAULT))
            .orElse(DestinationLimits.DEFAULT);
    Map<String, DestinationLimits> destinations =
        top.below("destinations")
            .map(all ->
                all.byId(
                    "destination", own -> DestinationSection.read(own, defaults), () -> defaults))
            .orElse(Map.of());
    TenantLimits tenantDefaults =
        top.below("tenant_defaults")
            .map(s -> InstallationSection.tenant(s, TenantLimits.DEFAULT))
            .orElse(TenantLimits.DEFAULT);
    Map<String, TenantLimits> tenants =
        top.below("tenants")
            .map(all ->
                all.byId(
                    "tenant",
                    own -> InstallationSection.tenant(own, tenantDefaults),
                    () -> tenantDefaults))
            .orElse(Map.of());
    Map<String, PoolLimits> pools =
        top.below("pools")
            .map(all -> all.byId("pool", PoolSection::read, PoolSection::empty))
            .orElse(Map.of());
    RetentionLimits retention =
        top.below("retention")
            .map(s -> InstallationSection.retention(s, RetentionLimits.DEFAULT))
            .orElse(RetentionLimits.DEFAULT);
    AlertThresholds alerts =
        top.below("alerts")
            .map(s -> InstallationSection.alerts(s, AlertThresholds.DEFAULT))
            .orElse(AlertThresholds.DEFAULT);
    top.end();
    return new LimitsDocument(
        defaults, destinations, tenantDefaults, tenants, pools, retention, alerts);
  }

  private static Map<String, Place> placesOf(Yaml.Mapping top) {
    Map<String, Place> places = new LinkedHashMap<>();
    Optional.ofNullable(top.entries().get("destinations"))
        .map(Yaml.Entry::value)
        .filter(Yaml.Mapping.class::isInstance)
        .map(Yaml.Mapping.class::cast)
        .ifPresent(all -> all.entries().forEach((id, entry) -> places.put(id, entry.keyPlace())));
    return places;
  }
}
