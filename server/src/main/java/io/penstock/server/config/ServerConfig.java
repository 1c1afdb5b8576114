package io.penstock.server.config;

import io.penstock.engine.tube.TubeSettings;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.push.guard.EgressPolicy;
import io.penstock.server.event.Bounds;
import io.penstock.server.http.HttpSettings;
import io.penstock.server.yaml.Quantities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's configuration, typed and checked.
 *
 * @param database where the ledger is; null = embedded
 * @param maintenance the ledger as the owner of its tables; null = as {@code database}
 * @param dataDir of the embedded Postgres and of generated keys
 * @param limitsFile the operators' limits
 * @param limitsFileWanted whether somebody named the file, so that its absence is a fault
 * @param secretsDir of generated signing keys
 * @param slots deliveries in flight at once on this node
 * @param grace how long a stop waits for what is in flight
 * @param tubes how jobs are leased to workers
 * @param openMetrics whether /metrics needs no key
 * @param notices where operators want notices; null = nowhere
 */
public record ServerConfig(
    HttpSettings http,
    @Nullable DatabaseSettings database,
    @Nullable DatabaseSettings maintenance,
    Path dataDir,
    Path limitsFile,
    boolean limitsFileWanted,
    Path secretsDir,
    EgressPolicy egress,
    int slots,
    Duration grace,
    TubeSettings tubes,
    Bounds bounds,
    boolean openMetrics,
    @Nullable NoticeSettings notices) {

  private static final int MOST_SLOTS = 100_000;
  private static final int MOST_CONNECTIONS = 200;
  private static final Duration MOST_GRACE = Duration.ofMinutes(10);

  /** Reads the settings; throws ConfigException that names setting and source. */
  public static ServerConfig from(Settings settings) {
    Path dataDir = Path.of(settings.get(Setting.DATA_DIR).text()).toAbsolutePath().normalize();
    String secretsDir = settings.get(Setting.SECRETS_DIR).text();
    Settings.Value limits = settings.get(Setting.LIMITS_FILE);
    return new ServerConfig(
        http(settings),
        database(settings),
        maintenance(settings),
        dataDir,
        Path.of(limits.text()).toAbsolutePath().normalize(),
        !limits.isDefault(),
        secretsDir.isEmpty() ? dataDir.resolve("secrets") : Path.of(secretsDir).toAbsolutePath(),
        egress(settings),
        whole(settings, Setting.NODE_SLOTS, 1, MOST_SLOTS),
        grace(settings),
        tubes(settings),
        bounds(settings),
        word(settings, Setting.METRICS_ACCESS, "key", "open").equals("open"),
        notices(settings));
  }

  private static HttpSettings http(Settings settings) {
    Settings.Value listen = settings.get(Setting.LISTEN);
    int colon = listen.text().lastIndexOf(':');
    if (colon < 1) {
      throw wrong(settings, Setting.LISTEN, "host:port, for instance 127.0.0.1:8420");
    }
    String host = listen.text().substring(0, colon).replace("[", "").replace("]", "");
    String port = listen.text().substring(colon + 1);
    if (!port.matches("[0-9]{1,5}")) {
      throw wrong(settings, Setting.LISTEN, "host:port with a port of 0 to 65535");
    }
    return checked(
        settings,
        Setting.LISTEN,
        () ->
            new HttpSettings(
                host, Integer.parseInt(port), bytes(settings, Setting.HTTP_IN_FLIGHT_BYTES)));
  }

  private static @Nullable DatabaseSettings database(Settings settings) {
    boolean embedded = flag(settings, Setting.EMBEDDED);
    Settings.Value url = settings.get(Setting.DATABASE_URL);
    if (embedded) {
      if (!url.text().isEmpty() && !url.source().equals("environment DATABASE_URL")) {
        throw new ConfigException(
            "embedded and database.url (from %s) are both set; set one of them"
                .formatted(url.source()));
      }
      return null;
    }
    if (url.text().isEmpty()) {
      throw new ConfigException(
          """
          no database: the ledger needs a Postgres 15 or later.
          Set PENSTOCK_DATABASE_URL (or DATABASE_URL) to postgres://user:password@host:5432/database,
          or say --embedded to run one of our own below data_dir.\
          """);
    }
    DatabaseUrl main = DatabaseUrl.parse(url.text());
    String direct = settings.get(Setting.DATABASE_DIRECT_URL).text();
    return new DatabaseSettings(
        main.jdbcUrl(),
        direct.isEmpty() ? main.jdbcUrl() : DatabaseUrl.parse(direct).jdbcUrl(),
        main.user(),
        main.password(),
        whole(settings, Setting.DATABASE_CONNECTIONS, 2, MOST_CONNECTIONS),
        flag(settings, Setting.DATABASE_POOLER));
  }

  private static @Nullable DatabaseSettings maintenance(Settings settings) {
    String text = settings.get(Setting.DATABASE_MAINTENANCE_URL).text();
    if (text.isEmpty()) {
      return null;
    }
    DatabaseUrl url = DatabaseUrl.parse(text);
    return DatabaseSettings.direct(url.jdbcUrl(), url.user(), url.password());
  }

  private static EgressPolicy egress(Settings settings) {
    return checked(
        settings,
        Setting.EGRESS_ALLOW,
        () ->
            EgressPolicy.of(
                list(settings, Setting.EGRESS_ALLOW), list(settings, Setting.EGRESS_PORTS)));
  }

  private static Duration grace(Settings settings) {
    String wanted = "0s to 10m, as " + Quantities.DURATION_WORDS;
    return parsed(
        settings,
        Setting.NODE_GRACE,
        text -> Quantities.duration(text).filter(d -> d.compareTo(MOST_GRACE) <= 0),
        wanted);
  }

  private static TubeSettings tubes(Settings settings) {
    Duration lease =
        parsed(
            settings,
            Setting.JOBS_LEASE,
            text ->
                Quantities.duration(text)
                    .filter(d -> d.compareTo(TubeSettings.LEAST_LEASE) >= 0)
                    .filter(d -> d.compareTo(TubeSettings.MOST_LEASE) <= 0),
            "1s to 30s, as " + Quantities.DURATION_WORDS);
    int faster = whole(settings, Setting.JOBS_TEST_FASTER, 1, TubeSettings.FASTEST);
    return new TubeSettings(lease.dividedBy(faster), faster);
  }

  private static @Nullable NoticeSettings notices(Settings settings) {
    String url = settings.get(Setting.NOTICES_URL).text();
    String secret = settings.get(Setting.NOTICES_SECRET).text();
    Duration window =
        parsed(
            settings,
            Setting.NOTICES_WINDOW,
            text ->
                Quantities.duration(text).filter(d -> d.compareTo(NoticeSettings.MOST_WINDOW) <= 0),
            "0s to 1h, as " + Quantities.DURATION_WORDS);
    if (url.isEmpty() && secret.isEmpty()) {
      return null;
    }
    if (!NoticeSettings.isUrl(url)) {
      throw wrong(
          settings, Setting.NOTICES_URL, "http:// or https:// and a host, beside notices.secret");
    }
    if (!NoticeSettings.isReference(secret)) {
      // What was got may be the secret itself, so it is not shown.
      throw new ConfigException(
          "notices.secret: wanted a reference, env:NAME or file:/path, got something else (from %s)"
              .formatted(settings.get(Setting.NOTICES_SECRET).source()));
    }
    return new NoticeSettings(url, secret, window);
  }

  private static Bounds bounds(Settings settings) {
    return checked(
        settings,
        Setting.BOUNDS_BODY_BYTES,
        () ->
            new Bounds(
                fewBytes(settings, Setting.BOUNDS_BODY_BYTES),
                whole(settings, Setting.BOUNDS_BATCH_ITEMS, 1, 10_000),
                fewBytes(settings, Setting.BOUNDS_BATCH_BYTES),
                fewBytes(settings, Setting.BOUNDS_HEADER_BYTES)));
  }

  private static long bytes(Settings settings, Setting setting) {
    return parsed(settings, setting, Quantities::bytes, Quantities.SIZE_WORDS);
  }

  /** A size that fits an array; the bounds themselves are narrower. */
  private static int fewBytes(Settings settings, Setting setting) {
    return (int) Math.min(Integer.MAX_VALUE, bytes(settings, setting));
  }

  private static int whole(Settings settings, Setting setting, int least, int most) {
    return parsed(
        settings,
        setting,
        text ->
            Optional.of(text)
                .filter(t -> t.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .filter(n -> n >= least && n <= most),
        "%,d to %,d".formatted(least, most));
  }

  private static boolean flag(Settings settings, Setting setting) {
    return word(settings, setting, "true", "false").equals("true");
  }

  private static String word(Settings settings, Setting setting, String one, String other) {
    return parsed(
        settings,
        setting,
        text -> Optional.of(text).filter(t -> t.equals(one) || t.equals(other)),
        one + " or " + other);
  }

  private static List<String> list(Settings settings, Setting setting) {
    return Arrays.stream(settings.get(setting).text().split(",", -1))
        .map(String::strip)
        .filter(item -> !item.isEmpty())
        .toList();
  }

  private static <T> T parsed(
      Settings settings, Setting setting, Function<String, Optional<T>> parser, String wanted) {
    return parser
        .apply(settings.get(setting).text())
        .orElseThrow(() -> wrong(settings, setting, wanted));
  }

  /** Runs a record's own checks, and says which setting was at fault. */
  private static <T> T checked(Settings settings, Setting setting, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "%s (from %s)".formatted(e.getMessage(), settings.get(setting).source()), e);
    }
  }

  private static ConfigException wrong(Settings settings, Setting setting, String wanted) {
    return new ConfigException(
        "%s: wanted %s, got %s (from %s)"
            .formatted(
                setting.key(), wanted, settings.shown(setting), settings.get(setting).source()));
  }
}
