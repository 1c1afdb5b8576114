package io.penstock.server.schedule;

import io.penstock.engine.node.Node;
import io.penstock.postgres.audit.AuditStore;
import io.penstock.postgres.node.NodeStore;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Rebuilds the schedule: every node drops its hints and derives them from the ledger anew. Safe for
 * use by many threads.
 */
public final class ScheduleRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final int MOST_REASON_CHARS = 500;

  /** Three heartbeats: a node that is silent for longer is not counted. */
  private static final Duration ALIVE = Duration.ofSeconds(30);

  private final Node node;
  private final String nodeName;
  private final NodeStore nodes;
  private final AuditStore audit;

  public ScheduleRoutes(Node node, String nodeName, NodeStore nodes, AuditStore audit) {
    this.node = node;
    this.nodeName = nodeName;
    this.nodes = nodes;
    this.audit = audit;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/schedule/rebuild", OPERATE, this::rebuild));
  }

  /**
   * What was found.
   *
   * @param node the one that answers, which has done
   * @param destinations with something waiting, now or later
   * @param othersTold nodes that were told and do it now
   */
  record RebuiltBody(String node, int destinations, double tookMs, int othersTold) {}

  private Answer rebuild(Call call) {
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    call.caller().mustSeeEverything();
    audit.write(call.audit(reason), "schedule.rebuild", nodeName);
    Node.Rebuilt rebuilt = node.rebuildSchedule();
    long others = nodes.alive(ALIVE).stream().filter(one -> !one.node().equals(nodeName)).count();
    double tookMs = Math.round(rebuilt.took().toNanos() / 1e4) / 100.0;
    return Answer.ok(new RebuiltBody(nodeName, rebuilt.destinations(), tookMs, (int) others));
  }
}
