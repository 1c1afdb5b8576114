package io.penstock.push.secret;

import java.nio.charset.StandardCharsets;

/**
 * The value behind a reference. It never appears in a message, a log or a screen: {@code toString}
 * gives the reference.
 */
public final class Secret {
  private final String reference;
  private final byte[] value;

  public Secret(String reference, byte[] value) {
    this.reference = reference;
    this.value = value.clone();
  }

  /** Where it came from; may be shown. */
  public String reference() {
    return reference;
  }

  /** The value as text, for the one place that uses it. */
  public String reveal() {
    return new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "Secret[" + reference + "]";
  }
}
