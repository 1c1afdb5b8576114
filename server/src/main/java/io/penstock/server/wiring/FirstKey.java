package io.penstock.server.wiring;

import io.penstock.budget.SystemAccess;
import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.key.ApiKey;
import io.penstock.postgres.key.ApiKeyStore;
import io.penstock.postgres.key.ApiKeyStore.NewKey;
import io.penstock.server.auth.KeyText;
import io.penstock.server.auth.Scope;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Keys that no other key makes: the first one of an installation, and those of dev and demo. */
public final class FirstKey {
  private static final Audit BY = new Audit("penstock", "made at the command line");
  private static final int MOST_LOOKED_AT = 1_000;

  private FirstKey() {}

  /**
   * The first admin key; empty when there is a valid one already.
   *
   * @param random fit for secrets
   */
  public static Optional<KeyText> make(ApiKeyStore keys, RandomGenerator random) {
    KeyText key = KeyText.generate(random);
    return keys.createFirstAdmin(admin(key, "first"), BY) ? Optional.of(key) : Optional.empty();
  }

  /** The same for an installation that no server of this process runs. */
  @SystemAccess("a key made at the command line comes from the system's chance")
  public static Optional<KeyText> make(LedgerHome home) {
    return make(new ApiKeyStore(home.pool()), new SecureRandom());
  }

  /** A new admin key of this name; earlier ones of the name end. */
  static KeyText replace(ApiKeyStore keys, String name, RandomGenerator random) {
    for (ApiKey old : keys.list(MOST_LOOKED_AT)) {
      if (old.name().equals(name) && old.revokedAt() == null) {
        keys.revoke(old.keyId(), BY);
      }
    }
    KeyText key = KeyText.generate(random);
    if (!keys.create(admin(key, name), BY)) {
      throw new IllegalStateException("the new key's id is taken; start once more");
    }
    return key;
  }

  private static NewKey admin(KeyText key, String name) {
    return new NewKey(key.id(), name, key.sha256(), Set.of(Scope.ADMIN.word()), Set.of());
  }
}
