package io.penstock.server.auth;

import io.penstock.postgres.key.ApiKey;
import io.penstock.postgres.key.ApiKeyStore;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who calls. Keys that were found are remembered for a few seconds, so that ingest does
 * not ask the database for each request. Safe for use by many threads.
 */
public final class Authenticator {

  /** How long a revoked key may still be taken: the price of not asking for every request. */
  public static final Duration REMEMBERED = Duration.ofSeconds(5);

  /** Most keys remembered; more callers than that share the database instead. */
  private static final int MOST_REMEMBERED = 10_000;

  private static final String SCHEME = "Bearer ";

  private final ApiKeyStore keys;
  private final LongSupplier nanoClock;
  private final Map<String, Remembered> remembered =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Remembered(Caller caller, long untilNanos) {}

  public Authenticator(ApiKeyStore keys, LongSupplier nanoClock) {
    this.keys = keys;
    this.nanoClock = nanoClock;
  }

  /** The caller that the Authorization header names; refuses every other one. */
  public Caller authenticate(@Nullable String authorization) {
    if (authorization == null) {
      throw refused("no Authorization header; wanted Authorization: Bearer ps_…");
    }
    if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw refused("wanted Authorization: Bearer ps_…, got another scheme");
    }
    KeyText key =
        KeyText.parse(authorization.substring(SCHEME.length()).strip())
            .orElseThrow(() -> refused("what follows Bearer is not a whole key; was it cut off?"));
    byte[] digest = key.sha256();
    String hash = HexFormat.of().formatHex(digest);
    Caller known = recall(hash);
    if (known != null) {
      return known;
    }
    Caller caller =
        keys.find(digest)
            .filter(k -> k.revokedAt() == null)
            .flatMap(Authenticator::caller)
            .orElseThrow(() -> refused("no valid key has the id " + key.id()));
    remember(hash, caller);
    return caller;
  }

  private static Optional<Caller> caller(ApiKey key) {
    // Words that this version does not know open nothing.
    var scopes =
        key.scopes().stream()
            .filter(Scope.byWord()::containsKey)
            .map(Scope.byWord()::get)
            .collect(Collectors.toUnmodifiableSet());
    return scopes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Caller(key.keyId(), scopes, key.tenantIds()));
  }

  private @Nullable Caller recall(String hash) {
    synchronized (remembered) {
      Remembered found = remembered.get(hash);
      if (found == null) {
        return null;
      }
      if (nanoClock.getAsLong() - found.untilNanos() >= 0) {
        remembered.remove(hash);
        return null;
      }
      return found.caller();
    }
  }

  private void remember(String hash, Caller caller) {
    synchronized (remembered) {
      remembered.put(hash, new Remembered(caller, nanoClock.getAsLong() + REMEMBERED.toNanos()));
    }
  }

  /** Forgets what it remembers of a key, for revocation on this node. */
  public void forget(String keyId) {
    synchronized (remembered) {
      remembered.values().removeIf(r -> r.caller().keyId().equals(keyId));
    }
  }

  private static ProblemException refused(String detail) {
    return ProblemException.of(ErrorCode.UNAUTHENTICATED, detail);
  }
}
