package io.penstock.postgres.read;

import io.penstock.engine.delivery.Reason;
import io.penstock.postgres.Pool;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the shelf. Safe for use by many threads. */
public final class ShelfReads {
  private final Pool pool;

  public ShelfReads(Pool pool) {
    this.pool = pool;
  }

  /** Dead letters newest first, before {@code before} (null = from the newest). */
  public Page<DeadLetterView, Long> page(Filter filter, @Nullable Long before, int limit) {
    throw new UnsupportedOperationException();
  }

  /** Which dead letters; {@code tenantIds} empty = of all tenants, null = any. */
  public record Filter(
      Set<String> tenantIds, @Nullable String destinationId, @Nullable Reason reason) {
    public static final Filter ALL = new Filter(Set.of(), null, null);
  }
}
