package io.penstock.engine.tube;

/** Takes an answer, once: on a loop's thread, so it must not block. */
public interface Reply<A> {
  void answer(A answer);

  /** The ledger did not answer; what was asked may or may not have taken effect. */
  void fail(RuntimeException failure);
}
