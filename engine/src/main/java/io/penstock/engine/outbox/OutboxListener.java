package io.penstock.engine.outbox;

/** Hears what becomes of rows; must not block, and must not throw. */
@FunctionalInterface
public interface OutboxListener {
  void expanded(Expansion expansion);
}
