package io.penstock.postgres.key;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.audit.AuditLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Stores API keys by the SHA-256 of the key. Safe for use by many threads. */
public final class ApiKeyStore {
  /** The scope without which nobody can make a key. */
  public static final String ADMIN = "admin";

  private final Pool pool;

  public ApiKeyStore(Pool pool) {
    this.pool = pool;
  }

  /** The key with this hash, revoked or not. */
  public Optional<ApiKey> find(byte[] sha256) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select key_id, name, scopes, tenant_ids, created_at, revoked_at
                    from penstock.api_key
                    where hash = :hash
                    """)
                .bind("hash", sha256)
                .map((row, context) -> read(row))
                .findOne());
  }

  /** Stores a new key; false when the id or the hash is taken. */
  public boolean create(NewKey key, Audit by) {
    return pool.transaction(Use.CALLER, handle -> insert(handle, key, by));
  }

  /**
   * Stores a key only when no key with the scope {@value #ADMIN} is valid; false otherwise. Of
   * several callers at once one succeeds.
   */
  public boolean createFirstAdmin(NewKey key, Audit by) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          // Keys are made one at a time here; whoever looks up a key is not kept waiting.
          handle.execute("lock table penstock.api_key in share row exclusive mode");
          boolean taken =
              handle
                  .createQuery(
                      """
                      select exists (
                        select from penstock.api_key
                        where :admin = any(scopes) and revoked_at is null)
                      """)
                  .bind("admin", ADMIN)
                  .mapTo(Boolean.class)
                  .one();
          return !taken && insert(handle, key, by);
        });
  }

  private boolean insert(Handle handle, NewKey key, Audit by) {
    Instant now = pool.now(handle);
    int made =
        handle
            .createUpdate(
                """
                insert into penstock.api_key (key_id, name, hash, scopes, tenant_ids, created_at)
                values (:keyId, :name, :hash, :scopes, :tenants, :now)
                on conflict do nothing
                """)
            .bind("keyId", key.keyId())
            .bind("name", key.name())
            .bind("hash", key.sha256())
            .bind("scopes", Bind.texts(key.scopes()))
            .bind("tenants", Bind.texts(key.tenantIds()))
            .bind("now", Bind.time(now))
            .execute();
    if (made == 0) {
      return false;
    }
    audit(handle, now, by, "key.create", key.keyId(), key.tenantIds());
    return true;
  }

  /** All keys, newest first, at most {@code limit}. */
  public List<ApiKey> list(int limit) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select key_id, name, scopes, tenant_ids, created_at, revoked_at
                    from penstock.api_key
                    order by created_at desc, key_id
                    limit :limit
                    """)
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
  }

  /** Ends a key; false when there is none or it is revoked already. */
  public boolean revoke(String keyId, Audit by) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          Optional<List<String>> tenants =
              handle
                  .createQuery(
                      """
                      update penstock.api_key set revoked_at = :now
                      where key_id = :keyId and revoked_at is null
                      returning tenant_ids
                      """)
                  .bind("now", Bind.time(now))
                  .bind("keyId", keyId)
                  .map((row, context) -> Bind.strings(row.getArray("tenant_ids")))
                  .findOne();
          tenants.ifPresent(its -> audit(handle, now, by, "key.revoke", keyId, its));
          return tenants.isPresent();
        });
  }

  /** What concerns one tenant alone is its line; a key of several, or of all, is nobody's. */
  private static void audit(
      Handle handle,
      Instant now,
      Audit by,
      String action,
      String keyId,
      Collection<String> tenantIds) {
    String tenant = tenantIds.size() == 1 ? tenantIds.iterator().next() : null;
    AuditLog.write(handle, now, by, AuditLog.Line.of(action, keyId, tenant));
  }

  private static ApiKey read(ResultSet row) throws SQLException {
    return new ApiKey(
        row.getString("key_id"),
        row.getString("name"),
        Set.copyOf(Bind.strings(row.getArray("scopes"))),
        Set.copyOf(Bind.strings(row.getArray("tenant_ids"))),
        Bind.instant(row, "created_at"),
        Bind.instantOrNull(row, "revoked_at"));
  }

  /** A key to be stored; {@code sha256} is of the whole key as it is sent. */
  @SuppressWarnings("ArrayRecordComponent") // a digest, never changed; compared nowhere
  public record NewKey(
      String keyId, String name, byte[] sha256, Set<String> scopes, Set<String> tenantIds) {}
}
