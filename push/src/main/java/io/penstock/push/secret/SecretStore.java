package io.penstock.push.secret;

/**
 * Where secrets are kept; one implementation per scheme of references. May block: it is called in a
 * bounded pool, and whoever asks stops waiting at a deadline. Safe for use by many threads.
 */
public interface SecretStore {
  /** What stands before the colon in references to it, for instance {@code env}. */
  String scheme();

  /**
   * The secret with a name.
   *
   * @param reference the whole reference, for messages
   * @param name what stands behind the colon
   */
  SecretAnswer fetch(String reference, String name);
}
