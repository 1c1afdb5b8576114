package io.penstock.server.auth;

import io.penstock.engine.ledger.Audit;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who calls, as its key says.
 *
 * @param keyId names the key in the audit
 * @param tenants what it is bound to; empty = it may see all tenants
 */
public record Caller(String keyId, Set<Scope> scopes, Set<String> tenants) {

  /** Whether things of this tenant exist for the caller. */
  public boolean sees(String tenantId) {
    return tenants.isEmpty() || tenants.contains(tenantId);
  }

  /** Refuses a caller that is bound to tenants what concerns all of them. */
  public void mustSeeEverything() {
    if (!tenants.isEmpty()) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "this concerns all tenants, and the key is bound to %s; use one that is bound to none"
              .formatted(String.join(", ", new TreeSet<>(tenants))));
    }
  }

  /** Whether it has one of these scopes; an admin has them all. */
  public boolean hasAny(Set<Scope> wanted) {
    return scopes.contains(Scope.ADMIN) || wanted.stream().anyMatch(scopes::contains);
  }

  /** The author of what it does. */
  public Audit audit(String reason) {
    return new Audit("key:" + keyId, reason);
  }
}
