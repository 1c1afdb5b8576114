package io.penstock.server.key;

import io.penstock.postgres.key.ApiKey;
import io.penstock.postgres.key.ApiKeyStore;
import io.penstock.postgres.key.ApiKeyStore.NewKey;
import io.penstock.server.auth.Authenticator;
import io.penstock.server.auth.KeyText;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes, lists and revokes API keys. Safe for use by many threads. */
public final class KeyRoutes {
  private static final Set<Scope> ADMINISTER = EnumSet.of(Scope.ADMIN);
  private static final int MOST_LISTED = 1_000;
  private static final int MOST_TENANTS = 100;
  private static final int MOST_NAME_CHARS = 200;

  private final ApiKeyStore store;
  private final Authenticator authenticator;
  private final RandomGenerator random;

  /**
   * @param random fit for secrets
   */
  public KeyRoutes(ApiKeyStore store, Authenticator authenticator, RandomGenerator random) {
    this.store = store;
    this.authenticator = authenticator;
    this.random = random;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/keys", ADMINISTER, this::create),
        Route.get("/v1/keys", ADMINISTER, Set.of(), this::list),
        Route.post("/v1/keys/{key}/revoke", ADMINISTER, this::revoke));
  }

  /** A key as the API shows it; the key itself only in the answer that makes it. */
  record KeyBody(
      String id,
      String name,
      Set<String> scopes,
      Set<String> tenants,
      @Nullable Instant createdAt,
      @Nullable Instant revokedAt,
      @Nullable String key) {
    static KeyBody of(ApiKey key) {
      return new KeyBody(
          key.keyId(),
          key.name(),
          new TreeSet<>(key.scopes()),
          new TreeSet<>(key.tenantIds()),
          key.createdAt(),
          key.revokedAt(),
          null);
    }
  }

  /** All keys, newest first. */
  record KeysBody(List<KeyBody> items) {}

  private Answer create(Call call) {
    Fields fields = call.fields().only(Set.of("name", "scopes", "tenants"));
    String name = fields.prose("name", MOST_NAME_CHARS).orElse("");
    Set<Scope> scopes = scopes(fields);
    Set<String> tenants =
        Set.copyOf(fields.texts("tenants", MOST_TENANTS, Texts.ID, Texts.ID_WORDS));
    checkBinding(scopes, tenants);
    KeyText key = KeyText.generate(random);
    NewKey made =
        new NewKey(
            key.id(),
            name,
            key.sha256(),
            scopes.stream().map(Scope::word).collect(Collectors.toUnmodifiableSet()),
            tenants);
    if (!store.create(made, call.audit(""))) {
      // Two keys with the same 40 bits: once in a lifetime, and the caller may simply try again.
      throw ProblemException.of(ErrorCode.ID_TAKEN, "the new key's id is taken; ask once more");
    }
    return Answer.json(
        201,
        new KeyBody(
            made.keyId(),
            name,
            new TreeSet<>(made.scopes()),
            new TreeSet<>(tenants),
            null,
            null,
            key.reveal()));
  }

  private static Set<Scope> scopes(Fields fields) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    String allowed = "a list of " + String.join(", ", new TreeSet<>(Scope.byWord().keySet()));
    for (String word : fields.texts("scopes", Scope.values().length, Texts.ANY, allowed)) {
      Scope scope = Scope.byWord().get(word);
      if (scope == null) {
        throw ProblemException.field("scopes", word, allowed);
      }
      scopes.add(scope);
    }
    if (scopes.isEmpty()) {
      throw ProblemException.field("scopes", "none", allowed);
    }
    return scopes;
  }

  private static void checkBinding(Set<Scope> scopes, Set<String> tenants) {
    if (scopes.contains(Scope.ADMIN) && !tenants.isEmpty()) {
      throw ProblemException.field(
          "tenants", String.join(", ", tenants), "no tenants with the scope admin, which sees all");
    }
    for (Scope scope : scopes) {
      if (scope.mustBeBound() && tenants.isEmpty() && !scopes.contains(Scope.ADMIN)) {
        throw ProblemException.field(
            "tenants", "none", "at least one tenant with the scope " + scope.word());
      }
    }
  }

  private Answer list(Call call) {
    return Answer.ok(new KeysBody(store.list(MOST_LISTED).stream().map(KeyBody::of).toList()));
  }

  private Answer revoke(Call call) {
    String id = call.pathId("key");
    if (!store.revoke(id, call.audit(""))) {
      throw ProblemException.of(
          ErrorCode.NOT_FOUND, "there is no valid key %s; it may be revoked already".formatted(id));
    }
    authenticator.forget(id);
    return Answer.ok(new RevokedBody(id, Authenticator.REMEMBERED.toMillis()));
  }

  /**
   * What a revocation says.
   *
   * @param withinMs other nodes may take the key for so long
   */
  record RevokedBody(String id, long withinMs) {}
}
