package io.penstock.server.http;

import io.penstock.server.auth.Scope;
import java.util.Set;

/**
 * One method on one path.
 *
 * @param method GET, POST, PUT or DELETE
 * @param path with parameters in braces
 * @param scopes a key needs one of these (an admin has them all); {@link #PUBLIC} = no key needed
 * @param query the query parameters that it knows; others are refused
 * @param bodyBytes most bytes of the request's body; 0 = it takes none
 */
public record Route(
    String method,
    String path,
    Set<Scope> scopes,
    Set<String> query,
    int bodyBytes,
    Handler handler) {

  /** No key needed. */
  public static final Set<Scope> PUBLIC = Set.of();

  /** Most bytes of a request that configures or commands something. */
  public static final int SMALL_BODY_BYTES = 64 << 10;

  /** A route that reads. */
  public static Route get(String path, Set<Scope> scopes, Set<String> query, Handler handler) {
    return new Route("GET", path, scopes, query, 0, handler);
  }

  /** A route that does something, told by a small JSON object. */
  public static Route post(String path, Set<Scope> scopes, Handler handler) {
    return new Route("POST", path, scopes, Set.of(), SMALL_BODY_BYTES, handler);
  }

  /** Whether it needs no key. */
  public boolean isPublic() {
    return scopes.isEmpty();
  }
}
