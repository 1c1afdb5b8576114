package io.penstock.postgres.limits;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.audit.AuditLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Stores every version of the limits. Versions are made one at a time, so that the newest is the
 * last that was committed. Safe for use by many threads and nodes.
 */
public final class LimitsStore {
  private static final String APPLIED = "applied";
  private static final String REFUSED = "refused";

  private final Pool pool;

  public LimitsStore(Pool pool) {
    this.pool = pool;
  }

  /** What came of a publication. */
  public sealed interface Publication {
    /** It is a new version, and in force. */
    record Applied(LimitsVersion version) implements Publication {}

    /** What is in force says the same already. */
    record Same(LimitsVersion version) implements Publication {}

    /** It is not what the file holds any more, or not the version that was to be replaced. */
    record Outdated(long inForce) implements Publication {}
  }

  /** The number of the newest applied version; 0 = none. */
  public long inForceNo() {
    return pool.read(
        Use.LOOP,
        handle ->
            handle
                .createQuery(
                    """
                    select coalesce(max(version_no), 0) from penstock.limits_version
                    where result = 'applied'
                    """)
                .mapTo(Long.class)
                .one());
  }

  /** The newest applied version. */
  public Optional<LimitsVersion> inForce() {
    return pool.read(Use.LOOP, LimitsStore::newest);
  }

  /** A version, applied or refused. */
  public Optional<LimitsVersion> find(long versionNo) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select version_no, content, content_hash, diff, author, reviewer, commit_ref,
                      reason, result, source, at
                    from penstock.limits_version
                    where version_no = :no
                    """)
                .bind("no", versionNo)
                .map((row, context) -> read(row))
                .findOne());
  }

  /** Versions before this number, newest first, without their content. */
  public List<LimitsVersion> before(long versionNo, int limit) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select version_no, '' as content, content_hash, diff, author, reviewer,
                      commit_ref, reason, result, source, at
                    from penstock.limits_version
                    where version_no < :before
                    order by version_no desc
                    limit :limit
                    """)
                .bind("before", versionNo)
                .bind("limit", limit)
                .map((row, context) -> read(row))
                .list());
  }

  /**
   * Makes a version, unless what is in force says the same.
   *
   * @param place of the file that it comes from, whose content is remembered; null = from no file
   * @param still asked under the lock, with the number in force: whether it is still to be applied
   * @param diff its difference to the version in force; one that concerns a single tenant is told
   *     in the audit as that tenant's
   */
  public Publication publish(
      NewLimits limits,
      Audit by,
      @Nullable String place,
      Function<Long, Boolean> still,
      Function<Optional<LimitsVersion>, Difference> diff) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          alone(handle);
          Optional<LimitsVersion> before = newest(handle);
          long beforeNo = before.map(LimitsVersion::versionNo).orElse(0L);
          if (!still.apply(beforeNo)) {
            return new Publication.Outdated(beforeNo);
          }
          Instant now = pool.now(handle);
          if (place != null) {
            seen(handle, place, limits.sha256(), now);
          }
          String hash = HexFormat.of().formatHex(limits.sha256());
          if (before.isPresent() && before.get().hash().equals(hash)) {
            return new Publication.Same(before.get());
          }
          Difference changed = diff.apply(before);
          String difference = changed.text();
          long no = insert(handle, limits, APPLIED, difference, now);
          String tenant = concerned(handle, changed);
          AuditLog.write(
              handle, now, by, AuditLog.Line.of("limits.apply", Long.toString(no), tenant));
          return new Publication.Applied(
              new LimitsVersion(
                  no,
                  limits.content(),
                  hash,
                  difference,
                  limits.author(),
                  limits.reviewer(),
                  limits.commit(),
                  limits.reason(),
                  true,
                  limits.source(),
                  now));
        });
  }

  /** The one tenant that a difference concerns; null = none, or several. */
  private static @Nullable String concerned(Handle handle, Difference changed) {
    if (changed.widely()) {
      return null;
    }
    Set<String> tenants = new HashSet<>(changed.tenantIds());
    tenants.addAll(
        handle
            .createQuery(
                """
                select distinct tenant_id from penstock.destination
                where destination_id = any(:destinations)
                """)
            .bind("destinations", Bind.texts(changed.destinationIds()))
            .mapTo(String.class)
            .list());
    return tenants.size() == 1 ? tenants.iterator().next() : null;
  }

  /**
   * Records a file that was refused, once per content: several nodes may look at one file.
   *
   * @param complaint what is wrong with it
   */
  public void refused(NewLimits limits, Audit by, @Nullable String place, String complaint) {
    pool.transaction(
        Use.CALLER,
        handle -> {
          alone(handle);
          Instant now = pool.now(handle);
          if (place != null) {
            seen(handle, place, limits.sha256(), now);
          }
          if (!lastIs(handle, limits.sha256())) {
            long no = insert(handle, limits, REFUSED, complaint, now);
            AuditLog.write(handle, now, by, "limits.refuse", Long.toString(no));
          }
          return now;
        });
  }

  /** The SHA-256, in hex, of what a file held when it was last looked at. */
  public Optional<String> lastSeen(String place) {
    return pool.read(
        Use.LOOP,
        handle ->
            handle
                .createQuery("select content_hash from penstock.limits_file where place = :place")
                .bind("place", place)
                .map((row, context) -> HexFormat.of().formatHex(row.getBytes("content_hash")))
                .findOne());
  }

  /** Remembers what a file holds without publishing it. */
  public void seen(String place, byte[] sha256) {
    pool.transaction(
        Use.LOOP,
        handle -> {
          seen(handle, place, sha256, pool.now(handle));
          return place;
        });
  }

  /** Those of these ids that are destinations. */
  public Set<String> destinationsAmong(Collection<String> ids) {
    return pool.read(
        Use.CALLER,
        handle ->
            Set.copyOf(
                handle
                    .createQuery(
                        "select destination_id from penstock.destination where destination_id = any(:ids)")
                    .bind("ids", Bind.texts(ids))
                    .mapTo(String.class)
                    .list()));
  }

  private static void alone(Handle handle) {
    handle.execute("set local lock_timeout = '2s'");
    // Whoever only reads is not kept waiting.
    handle.execute("lock table penstock.limits_version in share row exclusive mode");
  }

  private static Optional<LimitsVersion> newest(Handle handle) {
    return handle
        .createQuery(
            """
            select version_no, content, content_hash, diff, author, reviewer, commit_ref, reason,
              result, source, at
            from penstock.limits_version
            where result = 'applied'
            order by version_no desc
            limit 1
            """)
        .map((row, context) -> read(row))
        .findOne();
  }

  private static boolean lastIs(Handle handle, byte[] sha256) {
    return handle
        .createQuery(
            """
            select coalesce((
              select content_hash = :hash and result = 'refused'
              from penstock.limits_version order by version_no desc limit 1), false)
            """)
        .bind("hash", sha256)
        .mapTo(Boolean.class)
        .one();
  }

  private static void seen(Handle handle, String place, byte[] sha256, Instant now) {
    handle
        .createUpdate(
            """
            insert into penstock.limits_file (place, content_hash, seen_at)
            values (:place, :hash, :now)
            on conflict (place) do update set content_hash = :hash, seen_at = :now
            """)
        .bind("place", place)
        .bind("hash", sha256)
        .bind("now", Bind.time(now))
        .execute();
  }

  private static long insert(
      Handle handle, NewLimits limits, String result, String diff, Instant now) {
    return handle
        .createQuery(
            """
            insert into penstock.limits_version (content, content_hash, diff, author, reviewer,
              commit_ref, reason, result, source, at)
            values (:content, :hash, :diff, :author, :reviewer, :commit, :reason, :result, :source,
              :now)
            returning version_no
            """)
        .bind("content", limits.content())
        .bind("hash", limits.sha256())
        .bind("diff", diff)
        .bind("author", limits.author())
        .bind("reviewer", limits.reviewer())
        .bind("commit", limits.commit())
        .bind("reason", limits.reason())
        .bind("result", result)
        .bind("source", limits.source())
        .bind("now", Bind.time(now))
        .mapTo(Long.class)
        .one();
  }

  private static LimitsVersion read(ResultSet row) throws SQLException {
    return new LimitsVersion(
        row.getLong("version_no"),
        row.getString("content"),
        HexFormat.of().formatHex(row.getBytes("content_hash")),
        row.getString("diff"),
        row.getString("author"),
        row.getString("reviewer"),
        row.getString("commit_ref"),
        row.getString("reason"),
        row.getString("result").equals(APPLIED),
        row.getString("source"),
        Bind.instant(row, "at"));
  }
}
