package io.penstock.server.notice;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.node.Node;
import io.penstock.engine.notice.Merging;
import io.penstock.engine.notice.Notice;
import io.penstock.engine.notice.NoticeBatch;
import io.penstock.engine.notice.NoticeRunner;
import io.penstock.engine.notice.Notices;
import io.penstock.engine.observe.NodeListener;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.server.config.NoticeSettings;
import io.penstock.server.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators what happens, by events of a tenant of its own to a destination of its own: the
 * same ledger, budget, guard, signature and retries as everybody's. A loop of its own looks for
 * what to tell, so that no sink, however slow, is ever waited for. Safe for use by many threads.
 */
public final class NoticeService {
  /** The tenant of the notices; nobody can make one of this id over the API. */
  public static final String TENANT = "penstock";

  private static final Logger log = LoggerFactory.getLogger(NoticeService.class);
  private static final Audit BY = new Audit("penstock", "notices, as penstock.yaml says");
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final String PREFIX = "penstock-notices-";

  /**
   * A URL that was left and is wanted again gets another destination: deleted ones stay deleted.
   */
  private static final int MOST_RETURNS = 100;

  private static final int MOST_OWN = 250;

  private final NoticeSettings settings;
  private final Ledger ledger;
  private final ConfigurationReads configuration;
  private final BudgetRule initial;
  private final Node node;
  private final NodeListener trouble;
  private final NoticeRunner runner;
  private final Loop loop;
  private String destination = "";

  /**
   * Nothing runs yet.
   *
   * @param initial the budget of a new destination
   */
  public NoticeService(
      NoticeSettings settings,
      Notices notices,
      String nodeName,
      Ledger ledger,
      ConfigurationReads configuration,
      BudgetRule initial,
      Node node,
      Host host,
      NodeListener trouble) {
    this.settings = settings;
    this.ledger = ledger;
    this.configuration = configuration;
    this.initial = initial;
    this.node = node;
    this.trouble = trouble;
    this.runner =
        new NoticeRunner(
            notices,
            nodeName,
            new Merging(settings.window()),
            this::post,
            () -> node.time().now(),
            trouble);
    this.loop = new Loop("notices", host, this::runOnce);
  }

  public void start() {
    loop.start();
  }

  public void stop() {
    loop.stop();
  }

  private Duration runOnce() {
    if (destination.isEmpty()) {
      try {
        destination = prepared();
        node.gatesChanged();
      } catch (LedgerException failure) {
        trouble.ledgerFailed("notices", failure);
        return AFTER_FAILURE;
      }
    }
    return runner.runOnce();
  }

  /** The destination of the URL that is wanted; those of other URLs go. */
  private String prepared() {
    ledger.createTenant(TENANT, "Penstock's own notices", BY);
    String stem = PREFIX + digest(settings.url() + " " + settings.secret());
    for (int n = 1; n <= MOST_RETURNS; n++) {
      String id = n == 1 ? stem : stem + "-" + n;
      if (exists(id) || created(id)) {
        configuration.destinations(Set.of(TENANT), null, MOST_OWN).items().stream()
            .map(view -> view.destination().id())
            .filter(other -> !other.equals(id))
            .forEach(other -> ledger.deleteDestination(other, BY));
        return id;
      }
    }
    throw new IllegalStateException(
        "%s and %d more are deleted destinations".formatted(stem, MOST_RETURNS - 1));
  }

  private boolean exists(String id) {
    return !ledger.destinations(List.of(id)).isEmpty();
  }

  private boolean created(String id) {
    return ledger
        .createDestination(
            new Destination(
                id,
                0,
                TENANT,
                Destination.Mode.PUSH,
                settings.url(),
                List.of(),
                List.of(settings.secret()),
                id,
                1),
            initial,
            BY)
        .isPresent();
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * What is posted.
   *
   * @param count how many there are; more than are named when it is a swarm
   */
  record NoticeBody(String kind, int count, List<NamedBody> notices) {}

  /** One notice. */
  record NamedBody(String subject, String tenantId, String detail, Instant since) {
    static NamedBody of(Notice notice) {
      return new NamedBody(notice.subject(), notice.tenantId(), notice.detail(), notice.since());
    }
  }

  private void post(NoticeBatch batch) {
    NewEvent event =
        new NewEvent(
            node.intake().newEventId(),
            TENANT,
            batch.kind().eventType(),
            "application/json",
            List.of(),
            Json.write(
                new NoticeBody(
                    batch.kind().word(),
                    batch.count(),
                    batch.named().stream().map(NamedBody::of).toList())),
            Urgency.INTERACTIVE,
            null,
            List.of(destination));
    switch (node.intake().accept(List.of(event)).getFirst()) {
      case Acceptance.Stored _, Acceptance.Replayed _ -> {}
      case Acceptance.KeyConflict _,
          Acceptance.UnknownTenant _,
          Acceptance.UnknownDestination _,
          Acceptance.Full _ ->
          // Nobody is told of it: that would be a notice about notices.
          log.warn(
              "a notice of {} ({}) was not accepted for {}",
              batch.kind().word(),
              batch.count(),
              destination);
    }
  }
}
