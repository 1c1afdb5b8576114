package io.penstock.server.auth;

import io.penstock.engine.ledger.Audit;
import java.util.Set;

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

  /** Whether it has one of these scopes; an admin has them all. */
  public boolean hasAny(Set<Scope> wanted) {
    return scopes.contains(Scope.ADMIN) || wanted.stream().anyMatch(scopes::contains);
  }

  /** The author of what it does. */
  public Audit audit(String reason) {
    return new Audit("key:" + keyId, reason);
  }
}
