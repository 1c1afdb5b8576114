package io.penstock.postgres.key;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Pool;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Stores API keys by the SHA-256 of the key. Safe for use by many threads. */
public final class ApiKeyStore {
  private final Pool pool;

  public ApiKeyStore(Pool pool) {
    this.pool = pool;
  }

  /** The key with this hash, revoked or not. */
  public Optional<ApiKey> find(byte[] sha256) {
    throw new UnsupportedOperationException();
  }

  /** Stores a new key; false when the id or the hash is taken. */
  public boolean create(NewKey key, Audit by) {
    throw new UnsupportedOperationException();
  }

  /** Stores a key only when no key with the scope {@code admin} is valid; false otherwise. */
  public boolean createFirstAdmin(NewKey key, Audit by) {
    throw new UnsupportedOperationException();
  }

  /** All keys, newest first, at most {@code limit}. */
  public List<ApiKey> list(int limit) {
    throw new UnsupportedOperationException();
  }

  /** Ends a key; false when there is none or it is revoked already. */
  public boolean revoke(String keyId, Audit by) {
    throw new UnsupportedOperationException();
  }

  /** A key to be stored; {@code sha256} is of the whole key as it is sent. */
  @SuppressWarnings("ArrayRecordComponent") // a digest, never changed; compared nowhere
  public record NewKey(
      String keyId, String name, byte[] sha256, Set<String> scopes, Set<String> tenantIds) {}
}
