package io.penstock.server.page;

import io.penstock.server.auth.Caller;
import java.util.Optional;
import java.util.Set;

/**
 * Which tenants a list covers: what the caller asks for, within what it may see. A type of its own,
 * because to a query an empty set means all tenants, and to a caller without rights it must not.
 */
public sealed interface TenantChoice {
  /** Nothing: the caller asked for a tenant that it may not see. */
  record None() implements TenantChoice {}

  /** These tenants; empty = all of them. */
  record Of(Set<String> tenantIds) implements TenantChoice {}

  /** The choice of a caller that asks for one tenant, or for all that it may see. */
  static TenantChoice of(Caller caller, Optional<String> asked) {
    if (asked.isEmpty()) {
      return new Of(caller.tenants());
    }
    return caller.sees(asked.get()) ? new Of(Set.of(asked.get())) : new None();
  }
}
