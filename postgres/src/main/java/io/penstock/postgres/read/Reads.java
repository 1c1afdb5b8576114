package io.penstock.postgres.read;

import io.penstock.postgres.Bind;
import java.sql.Types;
import java.util.Collection;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.NullArgument;

/** What the reads have in common. */
final class Reads {
  private Reads() {}

  /** Sets time-outs for this transaction: a page that takes longer is of no use to anybody. */
  static void enter(Handle handle) {
    handle.execute(
        """
        set local statement_timeout = '5s';
        set local idle_in_transaction_session_timeout = '5s';
        set local jit = off
        """);
  }

  /** A condition "one of these", where none means any. */
  static Argument anyOf(Collection<String> ids) {
    return ids.isEmpty() ? new NullArgument(Types.ARRAY) : Bind.texts(ids);
  }
}
