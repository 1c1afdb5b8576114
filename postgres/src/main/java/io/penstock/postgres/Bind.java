package io.penstock.postgres;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.argument.Argument;
import org.jspecify.annotations.Nullable;

/** Values on their way to the database and back. Times are in microseconds, always with UTC. */
public final class Bind {
  /** A time later than any in the ledger. */
  public static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private Bind() {}

  /** A text array; elements may be null. */
  public static Argument texts(Collection<? extends @Nullable String> values) {
    return array("text", values.toArray());
  }

  /** A uuid array; elements may be null. */
  public static Argument uuids(Collection<? extends @Nullable UUID> values) {
    return array("uuid", values.toArray());
  }

  /** A date array, of dates as Postgres writes them; it knows {@code infinity} too. */
  public static Argument dates(Collection<String> values) {
    return array("date", values.toArray());
  }

  public static Argument longs(long[] values) {
    return (position, statement, context) -> statement.setObject(position, values);
  }

  /** A bigint array whose elements may be null. */
  public static Argument longsOrNull(Collection<? extends @Nullable Long> values) {
    return array("bigint", values.toArray());
  }

  public static Argument doubles(double[] values) {
    return (position, statement, context) -> statement.setObject(position, values);
  }

  public static Argument ints(int[] values) {
    return (position, statement, context) -> statement.setObject(position, values);
  }

  public static Argument booleans(boolean[] values) {
    return (position, statement, context) -> statement.setObject(position, values);
  }

  /** A bytea array; elements may be null. */
  public static Argument bytes(List<? extends byte @Nullable []> values) {
    return array("bytea", values.toArray(new byte[0][]));
  }

  private static Argument array(String type, @Nullable Object[] values) {
    return (position, statement, context) ->
        statement.setArray(position, context.getConnection().createArrayOf(type, values));
  }

  /** A whole number where null might stand. */
  public static Argument whole(int value) {
    return (position, statement, context) -> statement.setInt(position, value);
  }

  /** A truth value where null might stand. */
  public static Argument truth(boolean value) {
    return (position, statement, context) -> statement.setBoolean(position, value);
  }

  /** The elements of a text array. */
  public static List<String> strings(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  /** A time. */
  public static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  /** Microseconds since the epoch. */
  public static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** What {@link #micros} made into a number. */
  public static Instant ofMicros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** A time that is never null. */
  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** A time that may be null. */
  public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
