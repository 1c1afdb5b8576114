package io.penstock.engine.send;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Ledger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Destinations as the sender needs them, kept by their configuration number: a claim says which
 * number is current, so nothing stale is ever used. Safe for use by many threads.
 */
public final class DestinationCache {
  /** Destinations kept, about 1 KB each; the least recently used go. */
  static final int MOST = 20_000;

  private final Ledger ledger;
  private final Map<String, Destination> kept =
      new LinkedHashMap<>(256, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Destination> eldest) {
          return size() > MOST;
        }
      };

  public DestinationCache(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Reads from the ledger, in one go, those that are missing or older than the number given. */
  public void refresh(Map<String, Long> configNos) {
    List<String> wanted = new ArrayList<>();
    synchronized (kept) {
      configNos.forEach((id, configNo) -> {
        Destination found = kept.get(id);
        if (found == null || found.configNo() < configNo) {
          wanted.add(id);
        }
      });
    }
    if (!wanted.isEmpty()) {
      Collection<Destination> read = ledger.destinations(wanted);
      synchronized (kept) {
        wanted.forEach(kept::remove);
        read.forEach(destination -> kept.put(destination.id(), destination));
      }
    }
  }

  /** The destination as last read; empty when it does not exist. */
  public Optional<Destination> get(String destinationId) {
    synchronized (kept) {
      return Optional.ofNullable(kept.get(destinationId));
    }
  }
}
