package io.penstock.server.wiring;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.host.Loop;
import io.penstock.engine.intake.Backlog;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.node.Node;
import io.penstock.engine.node.NodeSettings;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.postgres.Pool;
import io.penstock.postgres.audit.AuditStore;
import io.penstock.postgres.depth.DepthSampler;
import io.penstock.postgres.history.HistoryReads;
import io.penstock.postgres.key.ApiKeyStore;
import io.penstock.postgres.ledger.PostgresLedger;
import io.penstock.postgres.node.NodeStore;
import io.penstock.postgres.notice.PostgresNotices;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DeliveryReads;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.GateReads;
import io.penstock.postgres.read.NextReads;
import io.penstock.postgres.read.WhyReads;
import io.penstock.postgres.redrive.PostgresRedrives;
import io.penstock.postgres.redrive.RedriveRetention;
import io.penstock.postgres.wakeup.PostgresWakeup;
import io.penstock.push.HttpTransport;
import io.penstock.push.guard.Guard;
import io.penstock.push.lookup.Names;
import io.penstock.push.outbound.OutboundClient;
import io.penstock.push.outbound.OutboundSettings;
import io.penstock.push.secret.EnvironmentStore;
import io.penstock.push.secret.FileStore;
import io.penstock.push.secret.Secrets;
import io.penstock.push.signing.Keyring;
import io.penstock.server.auth.Authenticator;
import io.penstock.server.config.NoticeSettings;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.delivery.DeliveryRoutes;
import io.penstock.server.destination.BudgetRules;
import io.penstock.server.destination.DestinationRoutes;
import io.penstock.server.destination.GateRoutes;
import io.penstock.server.destination.SigningSecrets;
import io.penstock.server.event.EventRoutes;
import io.penstock.server.event.OutboxEvents;
import io.penstock.server.health.HealthRoutes;
import io.penstock.server.history.HistoryRoutes;
import io.penstock.server.http.HttpServer;
import io.penstock.server.http.Route;
import io.penstock.server.key.KeyRoutes;
import io.penstock.server.limits.LimitsMetrics;
import io.penstock.server.limits.LiveLimits;
import io.penstock.server.limits.LiveParts;
import io.penstock.server.metrics.Callbacks;
import io.penstock.server.metrics.Gauges;
import io.penstock.server.metrics.HttpMetrics;
import io.penstock.server.metrics.IntakeMetrics;
import io.penstock.server.metrics.MetricsRoutes;
import io.penstock.server.metrics.NodeMetrics;
import io.penstock.server.metrics.RedriveMetrics;
import io.penstock.server.notice.NoticeService;
import io.penstock.server.openapi.OpenApiRoutes;
import io.penstock.server.outbox.OutboxService;
import io.penstock.server.permit.PermitRoutes;
import io.penstock.server.redrive.RedriveRoutes;
import io.penstock.server.redrive.RedriveService;
import io.penstock.server.schedule.ScheduleRoutes;
import io.penstock.server.tenant.TenantRoutes;
import io.penstock.server.why.NextRoutes;
import io.penstock.server.why.NodeLoad;
import io.penstock.server.why.WhyRoutes;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server, wired by hand: every part is made here, in the order in which it needs the others,
 * started by {@link #start} and stopped in the opposite order by {@link #stop}.
 */
public final class PenstockServer {
  private static final Logger log = LoggerFactory.getLogger(PenstockServer.class);

  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private static final Duration SCHEMA_REST = Duration.ofMinutes(1);

  private static final Duration REDRIVE_RETENTION_REST = Duration.ofMinutes(10);

  /** How fresh depths are; a tenth of the time may go into counting. */
  private static final Duration DEPTH_REST = Duration.ofSeconds(1);

  /** How old what roll-ups and histories show may be, and what a kill may cost them. */
  private static final Duration BOOKKEEPING_REST = Duration.ofSeconds(5);

  /** How old the figures of the outbox may be. */
  private static final Duration OUTBOX_REST = Duration.ofSeconds(5);

  /** How long a slot stays taken after its permit has expired. */
  private static final Duration PERMIT_REST = Duration.ofSeconds(1);

  private static final Duration DEPTH_BUDGET = Duration.ofMillis(100);

  private final Machine machine = new Machine();
  private final ServerConfig config;
  private final LedgerHome home;
  private final Pool pool;
  private final PostgresLedger ledger;
  private final OutboundClient outbound;
  private final Wakeup wakeup;
  private final Node node;
  private final TubeParts tubes;
  private final String nodeName;
  private final NodeStore nodes;
  private final ApiKeyStore keys;
  private final NodeMetrics nodeMetrics;
  private final DepthSampler depths;
  private final ShelfParts shelf;
  private final Bookkeeper bookkeeper;
  private final Background background;
  private final LiveLimits live;
  private final LiveParts liveParts;
  private final RedriveService redrives;
  private final ScheduleParts schedules;
  private final OutboxService outbox;
  private final Optional<NoticeService> notices;
  private final HttpServer http;
  private final List<Route> routes;
  private volatile boolean nodeRuns;
  private volatile Optional<String> schemaComplaint = Optional.empty();

  /**
   * Makes the parts; nothing runs yet.
   *
   * @param beforeAnyVersion the limits for as long as no version of them was made
   * @param home whose schema is up to date
   */
  public PenstockServer(ServerConfig config, Limits beforeAnyVersion, LedgerHome home) {
    this.config = config;
    this.home = home;
    this.pool = home.pool();
    this.ledger = PostgresLedger.open(pool);
    this.wakeup = new PostgresWakeup(home.settings(), machine.host()::nanoTime, machine.random());
    Guard guard = new Guard(config.egress());
    this.outbound = outbound(guard);
    this.nodeName = machine.nodeName();
    PrometheusRegistry registry = new PrometheusRegistry();
    this.nodeMetrics = new NodeMetrics(registry);
    this.depths = new DepthSampler(pool, machine.host()::nanoTime);
    this.bookkeeper = new Bookkeeper(pool, () -> node().time().now(), depths::latest, registry);
    this.live = new LiveLimits(beforeAnyVersion, config.tubes().faster());
    this.node = node(live);
    this.tubes = new TubeParts(pool, node.tubes(), live, registry);
    this.nodes = new NodeStore(pool);
    this.liveParts =
        new LiveParts(
            pool,
            live,
            config.limitsFile(),
            machine.hostName(),
            nodeName,
            nodes,
            node::limitsChanged,
            node::tellLimitsChanged);
    this.keys = new ApiKeyStore(pool);
    this.shelf = new ShelfParts(home, ledger, live, machine.host()::nanoTime);
    Consumer<List<Acceptance>> admitted = bookkeeper.admitted(new IntakeMetrics(registry));
    this.schedules = new ScheduleParts(pool, node, machine.host(), admitted, registry, nodeMetrics);
    this.outbox =
        new OutboxService(
            pool,
            node,
            machine.host(),
            new OutboxEvents(config.bounds(), node.intake()::newEventId),
            admitted,
            registry,
            nodeMetrics);
    this.background = background();
    this.redrives =
        new RedriveService(
            new PostgresRedrives(pool, machine.host()::nanoTime),
            nodeName,
            machine.host(),
            node::due,
            new RedriveMetrics(registry),
            nodeMetrics);
    this.notices = Optional.ofNullable(config.notices()).map(wanted -> notices(wanted, live));
    Gauges.register(registry, node, depths::latest);
    LimitsMetrics.register(registry, live);
    Callbacks.counter(
        registry,
        "penstock_loop_failures",
        "Steps of this node's loops that threw: bugs. The loops go on.",
        machine.host()::stepFailures);
    JvmMetrics.builder().register(registry);
    Authenticator authenticator = new Authenticator(keys, machine.host()::nanoTime);
    this.routes = routes(live, guard, authenticator, registry, admitted);
    this.http =
        new HttpServer(
            config.http(),
            routes,
            authenticator,
            machine.random(),
            machine.host()::nanoTime,
            new HttpMetrics(registry));
  }

  private OutboundClient outbound(Guard guard) {
    return new OutboundClient(
        OutboundSettings.ofVersion(Version.current()),
        guard,
        Names.ofSystem(machine.lookups(), machine.host()::nanoTime),
        machine.timer(),
        machine.host()::nanoTime);
  }

  private Node node(Limits limits) {
    Secrets secrets =
        new Secrets(List.of(new EnvironmentStore(System.getenv()::get), new FileStore()));
    Keyring keyring = new Keyring(secrets, machine.lookups(), machine.host()::nanoTime);
    HttpTransport transport =
        new HttpTransport(
            outbound, keyring, machine.virtualThreads(), machine.timer(), machine.host()::nanoTime);
    NodeSettings settings =
        new NodeSettings(nodeName, config.slots(), NodeSettings.DEFAULT_LARGE_BODY_BYTES);
    return new Node(
        ledger,
        transport,
        wakeup,
        limits,
        machine.host(),
        settings,
        bookkeeper.listener(nodeMetrics),
        config.tubes());
  }

  private NoticeService notices(NoticeSettings wanted, Limits limits) {
    return new NoticeService(
        wanted,
        new PostgresNotices(pool, NoticeService.TENANT, limits),
        nodeName,
        ledger,
        new ConfigurationReads(pool),
        new BudgetRules(limits, machine.random()).initial(),
        node,
        machine.host(),
        nodeMetrics);
  }

  private Background background() {
    Background chores = new Background(machine.host());
    RedriveRetention redriven = new RedriveRetention(pool);
    chores.everyAfter(REDRIVE_RETENTION_REST, "redrive retention", redriven::runOnce);
    shelf.addTo(chores);
    schedules.addTo(chores);
    chores.everyAfter(SCHEMA_REST, "schema", this::lookAtSchema);
    chores.every(DEPTH_REST, "depths", this::countWaiting);
    chores.everyAfter(PERMIT_REST, "permits", node.permits()::expire);
    chores.everyAfter(BOOKKEEPING_REST, "bookkeeping", bookkeeper::flush);
    chores.every(OUTBOX_REST, "outbox figures", outbox::lookAround);
    chores.every(HEARTBEAT, "heartbeat", this::beat);
    Loop follow = chores.loop("limits", liveParts::follow);
    Loop look = chores.loop("limits-file", liveParts::lookAtFile);
    liveParts.wokenBy(follow::wake, look::wake);
    node.onLimitsHint(liveParts::hint);
    chores.everyAfter(TubeParts.SILENCE_REST, "silence", tubes::lookForSilence);
    chores.everyAfter(TubeParts.SUPPLY_REST, "supply", tubes::lookAtSupply);
    chores.everyAfter(TubeParts.PRESENCE_REST, "presence", () -> tubes.notePresence(nodeName));
    return chores;
  }

  private void beat() {
    nodes.beat(nodeName, machine.hostName(), Version.current());
    liveParts.report();
  }

  private void countWaiting() {
    if (depths.runOnce(DEPTH_BUDGET)) {
      Map<String, Backlog.Waiting> waiting = new HashMap<>();
      depths
          .latest()
          .destinations()
          .forEach((id, depth) ->
              waiting.put(id, new Backlog.Waiting(depth.tenantId(), depth.waiting())));
      node.backlog().counted(waiting);
    }
  }

  private List<Route> routes(
      Limits limits,
      Guard guard,
      Authenticator authenticator,
      PrometheusRegistry registry,
      Consumer<List<Acceptance>> admitted) {
    ConfigurationReads configuration = new ConfigurationReads(pool);
    BudgetRules budgets = new BudgetRules(limits, machine.random());
    Runnable changed = node()::gatesChanged;
    List<Route> all = new ArrayList<>();
    all.addAll(new HealthRoutes(checks(), Map.of("limits", live::line)).routes());
    all.addAll(new MetricsRoutes(registry, config.openMetrics()).routes());
    all.addAll(new OpenApiRoutes().routes());
    all.addAll(new KeyRoutes(keys, authenticator, machine.random()).routes());
    all.addAll(new TenantRoutes(ledger, configuration).routes());
    all.addAll(
        new DestinationRoutes(
                ledger,
                configuration,
                limits,
                budgets,
                guard,
                new SigningSecrets(config.secretsDir(), machine.random()),
                depths::latest,
                machine.random(),
                changed)
            .routes());
    all.addAll(
        new GateRoutes(
                ledger,
                configuration,
                new GateReads(pool, machine.host()::nanoTime),
                limits,
                budgets,
                changed)
            .routes());
    all.addAll(
        new EventRoutes(node.intake(), new EventReads(pool), config.bounds(), admitted).routes());
    all.addAll(outbox.routes());
    all.addAll(
        new DeliveryRoutes(ledger, new DeliveryReads(pool), budgets.freed(), this::due).routes());
    all.addAll(
        new WhyRoutes(
                new WhyReads(pool),
                limits,
                this::load,
                depths::latest,
                tubes.reads(),
                tubes.workers())
            .routes());
    NextReads next = new NextReads(pool, machine.host()::nanoTime);
    all.addAll(new NextRoutes(next, configuration, limits).routes());
    all.addAll(new ScheduleRoutes(node(), nodeName, nodes, new AuditStore(pool)).routes());
    all.addAll(liveParts.routes());
    all.addAll(tubes.routes(ledger, limits, machine.host()::nanoTime));
    all.addAll(shelf.routes(ledger::now, budgets.freed()));
    all.addAll(
        new RedriveRoutes(
                redrives.redrives(),
                configuration,
                id -> RedriveSettings.of(limits.of(id).redrive()),
                limits,
                machine.random(),
                redrives::wake)
            .routes());
    all.addAll(schedules.routes(config.bounds(), machine.random()));
    all.addAll(
        new PermitRoutes(node.permits(), ledger, limits, () -> node().time().now()).routes());
    all.addAll(new HistoryRoutes(ledger, configuration, new HistoryReads(pool), limits).routes());
    return List.copyOf(all);
  }

  private NodeLoad load() {
    return new NodeLoad(nodeName, node().inFlight(), node().slotLimit());
  }

  private void due(DeliveryKey key) {
    node.due(List.of(key.destinationId()));
  }

  private Map<String, Supplier<Optional<String>>> checks() {
    Map<String, Supplier<Optional<String>>> checks = new LinkedHashMap<>();
    checks.put(
        "stopping", () -> isDraining() ? Optional.of("the node is stopping") : Optional.empty());
    checks.put("embedded_postgres", home::complaint);
    checks.put("postgres", this::ledgerComplaint);
    checks.put("schema", () -> schemaComplaint);
    return checks;
  }

  /** Looked at now and then only: it reads the whole history. */
  private void lookAtSchema() {
    List<String> pending = home.pendingMigrations();
    schemaComplaint =
        pending.isEmpty()
            ? Optional.empty()
            : Optional.of("migrations are pending: " + String.join(", ", pending));
  }

  private Optional<String> ledgerComplaint() {
    try {
      ledger.now();
      return Optional.empty();
    } catch (LedgerException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Starts the loops, listens, and only then begins its chores.
   *
   * @throws io.penstock.server.yaml.FaultyFileException when the limits file is at fault and no
   *     version of the limits was ever in force
   */
  public void start() {
    liveParts.begin();
    // It listens before its loops begin: a backlog that is due at once would take the processor.
    node.join();
    http.start();
    nodeRuns = true;
    node.startLoops();
    redrives.start();
    schedules.start();
    outbox.start();
    notices.ifPresent(NoticeService::start);
    background.start();
    machine.host().start("limits-folder", liveParts::watchFolder);
    log.info("listening on {}, node {}", url(), nodeName);
    if (config.tubes().faster() > 1) {
      log.warn(
          "jobs.test_faster is {}: every time of worker-seconds is divided by it; for benches only",
          config.tubes().faster());
    }
  }

  /** Where it listens. */
  public URI url() {
    String host = config.http().host();
    return URI.create(
        "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, http.port()));
  }

  public Node node() {
    return node;
  }

  public ApiKeyStore keys() {
    return keys;
  }

  /** Fit for secrets. */
  SecureRandom random() {
    return machine.random();
  }

  /** All that is served, for the tests that walk it. */
  public List<Route> routes() {
    return routes;
  }

  /** Whether it is stopping. */
  public boolean isDraining() {
    return http.isDraining();
  }

  /**
   * Stops in good order: takes no new requests, answers those under way, claims nothing more, lets
   * what is in flight end within the grace, hands back the rest, and closes Postgres last. Blocks
   * until all that is done.
   *
   * @return deliveries that were still in flight when the grace was over; 0 = nothing will be sent
   *     twice
   */
  public int stop() {
    log.info("stopping; what is in flight has {} s", config.grace().toSeconds());
    long began = machine.host().nanoTime();
    node.stopLeasing(); // or the workers that wait would keep the requests from ending
    boolean drained = drain();
    step("redrives", redrives::stop);
    step("schedules", schedules::stop);
    step("outbox", outbox::stop);
    step("notices", () -> notices.ifPresent(NoticeService::stop));
    int left = stopNode(began);
    // Each goes although the one before failed: above all Postgres must be stopped.
    step("chores", background::stop);
    step("limits", liveParts::close);
    step("bookkeeping", bookkeeper::flush);
    step("http", http::close);
    step("wake-ups", wakeup::close);
    step("outbound", outbound::close);
    step("heartbeat", () -> nodes.leave(nodeName));
    step("ledger", home::close);
    step("machine", machine::close);
    log.info(
        "stopped: {}, {} deliveries were still in flight",
        drained ? "all requests were answered" : "some requests were cut off",
        left);
    return left;
  }

  /** The grace is one for all: what the requests took of it the node no longer has. */
  private int stopNode(long began) {
    if (!nodeRuns) {
      return 0; // it never began: nothing is in flight, and no loop would end
    }
    Duration taken = Duration.ofNanos(machine.host().nanoTime() - began);
    Duration left = config.grace().minus(taken);
    try {
      return node.stop(left.isNegative() ? Duration.ZERO : left);
    } catch (RuntimeException e) {
      log.warn("the node could not be stopped in good order", e);
      return node.inFlight();
    }
  }

  private static void step(String name, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.warn("{} could not be stopped in good order", name, e);
    }
  }

  private boolean drain() {
    try {
      return http.drain(config.grace());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
