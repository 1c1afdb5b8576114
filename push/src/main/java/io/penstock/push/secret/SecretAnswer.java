package io.penstock.push.secret;

/** What a store says about a reference. The reasons hold references and numbers, no values. */
public sealed interface SecretAnswer {

  /** It is there. */
  record Present(Secret secret) implements SecretAnswer {}

  /** The store answered: there is no such secret, or it cannot be used. */
  record Absent(String why) implements SecretAnswer {}

  /** The store did not answer; what it holds is not known. */
  record Silent(String why) implements SecretAnswer {}
}
