package io.penstock.postgres.ledger;

import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The row that carries a scope's gate: of the installation, a tenant, or a destination. */
record GateTable(String name, int shard, @Nullable String tenant, @Nullable String destination) {

  static GateTable of(GateScope scope, int shards) {
    return switch (scope) {
      case GateScope.Everything() -> new GateTable("everything", 0, null, null);
      case GateScope.OfTenant(String id) -> new GateTable(id, 0, id, null);
      case GateScope.OfDestination(String id) -> new GateTable(id, Shard.of(id, shards), null, id);
    };
  }

  /** Of what it is the gate: a word of the audit. */
  String kind() {
    return destination != null ? "destination" : tenant != null ? "tenant" : "everything";
  }

  /**
   * Locks the row and reads its flags.
   *
   * @throws IllegalArgumentException if there is no such tenant or destination
   */
  GateFlags lock(Handle handle) {
    return lockIfThere(handle)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no %s %s".formatted(destination == null ? "tenant" : "destination", name)));
  }

  /** Locks the row and reads its flags; empty when there is no such tenant or destination. */
  Optional<GateFlags> lockIfThere(Handle handle) {
    return bindKey(handle.createQuery(lockSql()))
        .map((row, context) -> GateFlags.read(row))
        .findOne();
  }

  private String lockSql() {
    if (destination != null) {
      return """
      select disabled, paused, held, gate_no, reopened_at
      from penstock.destination
      where shard = :shard and destination_id = :destination
      for no key update
      """;
    }
    if (tenant != null) {
      return """
      select disabled, paused, held, gate_no, reopened_at
      from penstock.tenant
      where tenant_id = :tenant
      for no key update
      """;
    }
    return """
    select disabled, paused, held, gate_no, reopened_at
    from penstock.installation
    for no key update
    """;
  }

  /** Writes flags to the row that this transaction has locked. */
  void write(Handle handle, GateFlags flags) {
    bindKey(handle.createUpdate(writeSql()))
        .bind("disabled", flags.disabled())
        .bind("paused", flags.paused())
        .bind("held", flags.held())
        .bind("gateNo", flags.gateNo())
        .bindByType(
            "reopenedAt",
            flags.reopenedAt() == null ? null : Bind.time(flags.reopenedAt()),
            OffsetDateTime.class)
        .execute();
  }

  private String writeSql() {
    if (destination != null) {
      return """
      update penstock.destination
      set disabled = :disabled, paused = :paused, held = :held, gate_no = :gateNo,
        reopened_at = :reopenedAt
      where shard = :shard and destination_id = :destination
      """;
    }
    if (tenant != null) {
      return """
      update penstock.tenant
      set disabled = :disabled, paused = :paused, held = :held, gate_no = :gateNo,
        reopened_at = :reopenedAt
      where tenant_id = :tenant
      """;
    }
    return """
    update penstock.installation
    set disabled = :disabled, paused = :paused, held = :held, gate_no = :gateNo,
      reopened_at = :reopenedAt
    """;
  }

  /** The word for what kind of gate it is. */
  String scope() {
    if (destination != null) {
      return "destination";
    }
    return tenant == null ? "everything" : "tenant";
  }

  private <S extends SqlStatement<S>> S bindKey(S statement) {
    if (destination != null) {
      return statement.bind("shard", shard).bind("destination", destination);
    }
    return tenant == null ? statement : statement.bind("tenant", tenant);
  }

  /** Binds what names all the destinations behind the gate; null = any. */
  <S extends SqlStatement<S>> S bind(S statement) {
    return statement.bind("shard", shard).bind("tenant", tenant).bind("destination", destination);
  }
}
