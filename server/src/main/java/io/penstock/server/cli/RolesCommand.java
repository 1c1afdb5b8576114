package io.penstock.server.cli;

import io.penstock.postgres.role.Roles;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the SQL of the database's roles. */
@Command(
    name = "roles",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the SQL that makes three roles: one for the service, which can add to the audit and",
      "to the shelf but change neither, one for maintenance, which owns the tables, and one for",
      "applications, which can call penstock.enqueue and nothing else. Run it as a superuser in the",
      "ledger's database after each migration; repeating it changes nothing. Set passwords",
      "yourself, then let database.url log in as the first, database.maintenance_url as the second,",
      "and grant the third to the roles of your applications."
    },
    footer = {"", "Example:", "  penstock roles | psql -d penstock"})
final class RolesCommand implements Callable<Integer> {
  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "The service's role (default: penstock_service).")
  String service = Roles.DEFAULT.service();

  @Option(
      names = "--maintenance",
      paramLabel = "NAME",
      description = "The maintenance role (default: penstock_maintenance).")
  String maintenance = Roles.DEFAULT.maintenance();

  @Option(
      names = "--enqueue",
      paramLabel = "NAME",
      description = "The role of applications that enqueue (default: penstock_enqueue).")
  String enqueue = Roles.DEFAULT.enqueue();

  @Option(names = "--json", description = "As one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  /** What is printed. */
  record Printed(String service, String maintenance, String enqueue, String sql) {}

  @Override
  public Integer call() {
    String sql;
    try {
      sql = new Roles(service, maintenance, enqueue).sql();
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    var out = Output.of(spec);
    out.println(json ? Json.text(new Printed(service, maintenance, enqueue, sql)) : sql);
    out.flush();
    return ExitCode.OK.code();
  }
}
