package io.penstock.postgres.role;

import io.penstock.postgres.Sql;
import java.util.regex.Pattern;

/**
 * Three roles. Two, so that a service that was taken over cannot rewrite what happened: the
 * service's may add to the audit and to the shelf and change neither; the maintenance role owns the
 * tables, migrates, and does retention and legal deletion. And one for applications, which may
 * enqueue events and neither read nor write anything else.
 *
 * @param service what {@code database.url} logs in as
 * @param maintenance what {@code database.maintenance_url} logs in as
 * @param enqueue what is granted to the roles of applications
 */
public record Roles(String service, String maintenance, String enqueue) {
  private static final String SQL = Sql.of(Roles.class, "roles.sql");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /** The names that the documents use. */
  public static final Roles DEFAULT =
      new Roles("penstock_service", "penstock_maintenance", "penstock_enqueue");

  public Roles {
    check("service", service);
    check("maintenance", maintenance);
    check("enqueue", enqueue);
    if (service.equals(maintenance) || service.equals(enqueue) || maintenance.equals(enqueue)) {
      throw new IllegalArgumentException(
          "of the three roles two are one: %s, %s, %s".formatted(service, maintenance, enqueue));
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
    return SQL.replace("SERVICE_ROLE", service)
        .replace("MAINTENANCE_ROLE", maintenance)
        .replace("ENQUEUE_ROLE", enqueue);
  }
}
