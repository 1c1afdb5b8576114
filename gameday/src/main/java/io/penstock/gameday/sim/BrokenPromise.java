package io.penstock.gameday.sim;

/** The auditor's finding: which promise broke, where, and how. */
final class BrokenPromise extends RuntimeException {
  private static final long serialVersionUID = 1;

  final String promise;
  final String about;

  /**
   * A finding.
   *
   * @param promise a stable short name, by which shrinking knows the same fault again
   * @param about the destination it concerns, or empty
   */
  BrokenPromise(String promise, String about, String how) {
    super(promise + ": " + how);
    this.promise = promise;
    this.about = about;
  }
}
