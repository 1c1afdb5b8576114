package io.penstock.postgres.role;

import io.penstock.postgres.Sql;
import java.util.regex.Pattern;

/**
 * Two roles, so that a service that was taken over cannot rewrite what happened: the service's may
 * add to the audit and to the shelf and change neither; the maintenance role owns the tables,
 * migrates, and does retention and legal deletion.
 *
 * @param service what {@code database.url} logs in as
 * @param maintenance what {@code database.maintenance_url} logs in as
 */
public record Roles(String service, String maintenance) {
  private static final String SQL = Sql.of(Roles.class, "roles.sql");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /** The names that the documents use. */
  public static final Roles DEFAULT = new Roles("penstock_service", "penstock_maintenance");

  public Roles {
    check("service", service);
    check("maintenance", maintenance);
    if (service.equals(maintenance)) {
      throw new IllegalArgumentException("the two roles are one: " + service);
    }
  }

  private static void check(String which, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s: got %s, wanted 1 to 63 of a-z 0-9 _ that do not begin with a digit"
              .formatted(which, name));
    }
  }

  /**
   * The statements that make the roles and give them their rights. To be run by a superuser in the
   * ledger's database after each migration; repeating it changes nothing.
   */
  public String sql() {
    // Names of plain letters only, checked above: nothing to quote.
    return SQL.replace("SERVICE_ROLE", service).replace("MAINTENANCE_ROLE", maintenance);
  }
}
