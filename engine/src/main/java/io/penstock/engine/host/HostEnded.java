package io.penstock.engine.host;

/**
 * Ends the thread that runs into it, because its machine is no more: what a simulated machine
 * throws where its threads wait. An Error, so that nothing that handles failures takes it for one;
 * a loop lets it through.
 */
public abstract class HostEnded extends Error {
  private static final long serialVersionUID = 1;

  /** Carries no stack trace: it tells of no fault. */
  protected HostEnded(String message) {
    super(message, null, false, false);
  }
}
