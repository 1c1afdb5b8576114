package io.penstock.postgres.key;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An API key as it is stored; the key itself is not.
 *
 * @param keyId the public prefix of the key, for instance {@code ps_3fa9}: names it in the audit
 * @param name what people call it
 * @param scopes words such as {@code producer} and {@code admin}; the server knows them
 * @param tenantIds the tenants it is bound to; empty = none by name (the scope decides)
 * @param revokedAt since when it opens nothing; null = valid
 */
public record ApiKey(
    String keyId,
    String name,
    Set<String> scopes,
    Set<String> tenantIds,
    Instant createdAt,
    @Nullable Instant revokedAt) {}
