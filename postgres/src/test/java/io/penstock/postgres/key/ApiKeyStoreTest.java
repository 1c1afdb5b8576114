package io.penstock.postgres.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.Digest;
import io.penstock.postgres.key.ApiKeyStore.NewKey;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who may call. */
@PostgresTest
class ApiKeyStoreTest {
  private final TestingLedger world;
  private final ApiKeyStore store;

  ApiKeyStoreTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
    store = new ApiKeyStore(world.pool());
  }

  private static NewKey key(String id, String... scopes) {
    return new NewKey(id, "a key", hash(id), Set.of(scopes), Set.of("acme"));
  }

  private static byte[] hash(String id) {
    return Digest.sha256(id.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_key_is_found_by_its_hash_until_it_is_revoked() {
    assertThat(store.create(key("ps_1", "producer"), TestingLedger.BY)).isTrue();
    assertThat(store.create(key("ps_1", "producer"), TestingLedger.BY)).isFalse();
    assertThat(store.find(hash("ps_1")))
        .hasValueSatisfying(found -> {
          assertThat(found.scopes()).containsExactly("producer");
          assertThat(found.tenantIds()).containsExactly("acme");
          assertThat(found.revokedAt()).isNull();
        });
    assertThat(store.find(hash("ps_2"))).isEmpty();
    assertThat(store.revoke("ps_1", TestingLedger.BY)).isTrue();
    assertThat(store.revoke("ps_1", TestingLedger.BY)).isFalse();
    assertThat(store.find(hash("ps_1")))
        .hasValueSatisfying(
            found -> assertThat(found.revokedAt()).isEqualTo(world.clock().instant()));
    assertThat(store.list(9)).hasSize(1);
  }

  @Test
  void of_many_first_admin_keys_at_once_one_is_made() {
    List<Boolean> made =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(i -> store.createFirstAdmin(key("ps_" + i, "admin"), TestingLedger.BY))
            .toList();
    assertThat(made).containsOnlyOnce(true);
    assertThat(store.list(9)).hasSize(1);
  }

  @Test
  void a_key_of_one_tenant_is_told_in_the_audit_as_that_tenants() {
    store.create(bound("ps_of_one", "acme"), TestingLedger.BY);
    store.create(bound("ps_of_two", "acme", "beta"), TestingLedger.BY);
    store.revoke("ps_of_one", TestingLedger.BY);
    store.revoke("ps_of_two", TestingLedger.BY);
    assertThat(
            new AuditReads(world.pool())
                .page(AuditReads.Filter.ALL, null, 10).items().stream()
                    .filter(line -> line.action().startsWith("key."))
                    .map(line ->
                        "%s %s %s".formatted(line.action(), line.subject(), line.tenantId())))
        .containsExactly(
            "key.revoke ps_of_two null",
            "key.revoke ps_of_one acme",
            "key.create ps_of_two null",
            "key.create ps_of_one acme");
  }

  private static NewKey bound(String id, String... tenants) {
    return new NewKey(id, id, hash(id), Set.of("operator"), Set.of(tenants));
  }
}
