package io.penstock.push.secret;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the store of a reference. Keeps nothing: whoever uses secrets keeps what it made of them
 * for a short time. Safe for use by many threads.
 */
public final class Secrets {
  private final Map<String, SecretStore> stores = new TreeMap<>();

  public Secrets(Collection<? extends SecretStore> stores) {
    stores.forEach(store -> this.stores.put(store.scheme(), store));
  }

  /** Asks the store for a secret; blocks as long as the store does. */
  public SecretAnswer fetch(String reference) {
    int colon = reference.indexOf(':');
    SecretStore store = colon < 0 ? null : stores.get(reference.substring(0, colon));
    return store == null
        ? new SecretAnswer.Absent(
            // Not the reference itself: somebody may have put the secret in its place.
            "a secret must be a reference that begins with one of %s, followed by a colon"
                .formatted(stores.keySet()))
        : store.fetch(reference, reference.substring(colon + 1));
  }
}
