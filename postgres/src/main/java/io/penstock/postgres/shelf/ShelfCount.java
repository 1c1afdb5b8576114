package io.penstock.postgres.shelf;

import io.penstock.engine.shelf.Phrase;
import io.penstock.postgres.Bind;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * How far one shard's groups are counted. Locking it keeps counting, retention and erasure apart.
 *
 * @param normaliser which {@link Phrase} they were counted by
 * @param countedNo dead letters up to this one are in their groups, or have left
 * @param barrierNo up to here may be counted, once {@code passed}
 * @param passed whether every transaction that may hold such a number has ended
 */
record ShelfCount(int normaliser, long countedNo, long barrierNo, boolean passed) {

  /** Locks the count of a shard, waiting for whoever has it. */
  static ShelfCount lock(Handle handle, int shard) {
    return locked(handle, shard, "wait")
        .orElseThrow(() -> new IllegalStateException("no count of shard " + shard));
  }

  /** Locks the count of a shard; empty when another node has it, which will do as well. */
  static Optional<ShelfCount> tryLock(Handle handle, int shard) {
    return locked(handle, shard, "skip");
  }

  private static Optional<ShelfCount> locked(Handle handle, int shard, String how) {
    handle
        .createUpdate(
            """
            insert into penstock.shelf_count (shard, normaliser, counted_no, barrier_no,
              barrier_xid, counted_at)
            select :shard, :normaliser, 0, 0, '0', 'epoch'
            where not exists (select from penstock.shelf_count where shard = :shard)
            on conflict do nothing
            """)
        .bind("shard", shard)
        .bind("normaliser", Phrase.VERSION)
        .execute();
    return handle
        .createQuery(how.equals("skip") ? SKIPPING : WAITING)
        .bind("shard", shard)
        .map((row, context) ->
            new ShelfCount(
                row.getInt("normaliser"),
                row.getLong("counted_no"),
                row.getLong("barrier_no"),
                row.getBoolean("passed")))
        .findOne();
  }

  private static final String WAITING =
      """
      select normaliser, counted_no, barrier_no,
        pg_snapshot_xmin(pg_current_snapshot()) >= barrier_xid as passed
      from penstock.shelf_count
      where shard = :shard
      for no key update
      """;

  private static final String SKIPPING =
      """
      select normaliser, counted_no, barrier_no,
        pg_snapshot_xmin(pg_current_snapshot()) >= barrier_xid as passed
      from penstock.shelf_count
      where shard = :shard
      for no key update skip locked
      """;

  /** Notes how far it was counted. */
  static void counted(Handle handle, int shard, long countedNo, Instant at) {
    handle
        .createUpdate(
            """
            update penstock.shelf_count
            set counted_no = :counted, counted_at = :at
            where shard = :shard
            """)
        .bind("shard", shard)
        .bind("counted", countedNo)
        .bind("at", Bind.time(at))
        .execute();
  }

  /**
   * Sets a new barrier at a number that was read before this transaction got its own id: whoever
   * holds a lower one has a lower id, because a transaction writes before it takes a number.
   */
  static void setBarrier(Handle handle, int shard, long barrierNo) {
    handle
        .createUpdate(
            """
            update penstock.shelf_count
            set barrier_no = :barrier, barrier_xid = pg_current_xact_id()
            where shard = :shard
            """)
        .bind("shard", shard)
        .bind("barrier", barrierNo)
        .execute();
  }

  /** Begins anew with nothing counted. */
  static void restart(Handle handle, int shard) {
    handle
        .createUpdate("delete from penstock.shelf_group where shard = :shard")
        .bind("shard", shard)
        .execute();
    handle
        .createUpdate(
            """
            update penstock.shelf_count
            set normaliser = :normaliser, counted_no = 0
            where shard = :shard
            """)
        .bind("shard", shard)
        .bind("normaliser", Phrase.VERSION)
        .execute();
  }
}
