package io.penstock.push.guard;

/** What the guard says to a URL. */
public sealed interface Verdict {

  /** It may be dialled, if its addresses are allowed too. */
  record Allowed(Target target) implements Verdict {}

  /** It may not be dialled. The message says why, and which setting would allow it, if one does. */
  record Refused(Rule rule, String message) implements Verdict {}

  /** The rule that refused; its word names the cause in outcomes, metrics and the API. */
  enum Rule {
    /** Not an absolute http or https URL that can be read in one way only. */
    URL("url_malformed"),
    /** A port that policy keeps shut. */
    PORT("port_refused"),
    /** One of the addresses is reserved and not allowed. */
    ADDRESS("address_refused");

    private final String word;

    Rule(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }
}
