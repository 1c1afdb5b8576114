package io.penstock.server.http;

import io.javalin.http.Context;
import io.penstock.engine.ledger.Audit;
import io.penstock.server.auth.Caller;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Json;
import io.penstock.server.json.Texts;
import io.penstock.server.json.Times;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request on a route, with its parameters checked as they are read. For one thread. */
public final class Call {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MOST_LIMIT = 250;
  private static final Pattern LIMIT = Pattern.compile("[0-9]{1,9}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Context context;
  private final Route route;
  private final @Nullable Caller caller;
  private final byte[] body;

  Call(Context context, Route route, @Nullable Caller caller, byte[] body) {
    this.context = context;
    this.route = route;
    this.caller = caller;
    this.body = body;
  }

  /** Who calls; throws IllegalStateException on a public route. */
  public Caller caller() {
    if (caller == null) {
      throw new IllegalStateException(route.path() + " is public and knows no caller");
    }
    return caller;
  }

  /** The caller as the author of a change. */
  public Audit audit(String reason) {
    return caller().audit(reason);
  }

  /** An id in the path. One that no id can be is not found. */
  public String pathId(String name) {
    String value = context.pathParam(name);
    if (!Texts.ID.matcher(value).matches()) {
      throw ProblemException.parameter(name, value, Texts.ID_WORDS);
    }
    return value;
  }

  /** An event's id in the path. */
  public UUID pathUuid(String name) {
    return uuid(name, context.pathParam(name));
  }

  /** A query parameter; empty when it is missing. */
  public Optional<String> query(String name) {
    return Optional.ofNullable(context.queryParam(name));
  }

  /** An id in the query. */
  public Optional<String> queryId(String name) {
    Optional<String> value = query(name);
    value.ifPresent(v -> {
      if (!Texts.ID.matcher(v).matches()) {
        throw ProblemException.parameter(name, v, Texts.ID_WORDS);
      }
    });
    return value;
  }

  /** An event's id in the query. */
  public Optional<UUID> queryUuid(String name) {
    return query(name).map(v -> uuid(name, v));
  }

  /** A whole number in the query, from {@code least} to {@code most}. */
  public Optional<Integer> queryWhole(String name, int least, int most) {
    return query(name)
        .map(text -> {
          int number = LIMIT.matcher(text).matches() ? Integer.parseInt(text) : -1;
          if (number < least || number > most) {
            throw ProblemException.parameter(name, text, "%d to %d".formatted(least, most));
          }
          return number;
        });
  }

  /** A truth value in the query; false when it is missing. */
  public boolean queryFlag(String name) {
    String text = query(name).orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      throw ProblemException.parameter(name, text, "true or false");
    }
    return text.equals("true");
  }

  /** A time in the query, or how long ago it was. */
  public Optional<Instant> queryTime(String name, Supplier<Instant> now) {
    return query(name)
        .map(text ->
            Times.read(text, now)
                .orElseThrow(() -> ProblemException.parameter(name, text, Times.WORDS)));
  }

  /** A number in the path that names something. */
  public long pathNumber(String name) {
    String value = context.pathParam(name);
    if (!NUMBER.matcher(value).matches()) {
      throw ProblemException.parameter(name, value, "a whole number");
    }
    return Long.parseLong(value);
  }

  /** How many items the page may have. */
  public int limit() {
    String text = query("limit").orElse(Integer.toString(DEFAULT_LIMIT));
    int limit = LIMIT.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST_LIMIT) {
      throw ProblemException.parameter("limit", text, "1 to %d".formatted(MOST_LIMIT));
    }
    return limit;
  }

  /** A request header; empty when it is missing. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(context.header(name));
  }

  /** The body's bytes, within the route's bound. */
  public byte[] body() {
    return body;
  }

  /** The body as a small JSON object. */
  public Fields fields() {
    return Json.fields(body());
  }

  /** As {@link #fields}; a body that is not there counts as an empty object. */
  public Fields fieldsOrNone() {
    return body().length == 0 ? Json.fields(new byte[] {'{', '}'}) : fields();
  }

  /** What to answer when something does not exist, or not for this caller. */
  public static ProblemException notFound(String what, String id) {
    return ProblemException.of(
        ErrorCode.NOT_FOUND, "there is no %s %s, or this key may not see it".formatted(what, id));
  }

  private static UUID uuid(String name, String text) {
    if (!UUID_TEXT.matcher(text).matches()) {
      throw ProblemException.parameter(
          name, text, "a UUID, for instance 0199c0de-0000-7000-8000-000000000000");
    }
    return UUID.fromString(text.toLowerCase(Locale.ROOT));
  }
}
