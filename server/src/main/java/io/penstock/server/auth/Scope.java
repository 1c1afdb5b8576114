package io.penstock.server.auth;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an API key may do. A key has one or more. */
public enum Scope {
  /** Posts events for the tenants it is bound to. */
  PRODUCER(true),
  /** Leases jobs from tubes. */
  WORKER(false),
  /** Pauses, resumes, redrives, cancels, and sees everything that is not a secret. */
  OPERATOR(false),
  /** Sees what belongs to the tenants it is bound to. */
  TENANT_READER(true),
  /** As a reader, and redrives or sends again what belongs to them. */
  TENANT_REPLAY(true),
  /** Everything: tenants, destinations, keys. */
  ADMIN(false);

  private static final Map<String, Scope> BY_WORD =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Scope::word, Function.identity()));

  private final boolean bound;

  Scope(boolean bound) {
    this.bound = bound;
  }

  /** Whether a key with this scope must name the tenants that it is bound to. */
  public boolean mustBeBound() {
    return bound;
  }

  /** The word in the ledger and the API. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All scopes by their words. */
  public static Map<String, Scope> byWord() {
    return BY_WORD;
  }
}
