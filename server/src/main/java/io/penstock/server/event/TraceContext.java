package io.penstock.server.event;

import io.penstock.engine.event.Header;
import io.penstock.server.http.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The W3C trace context of a request, kept with its events and sent on with every attempt, so that
 * a trace goes through Penstock. A malformed one is dropped, as the standard has it.
 */
record TraceContext(List<Header> headers) {
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]*)?");
  private static final Pattern TRACESTATE = Pattern.compile("[ -~]{1,512}");

  static TraceContext of(Call call) {
    List<Header> found = new ArrayList<>(2);
    call.header("traceparent")
        .filter(value -> TRACEPARENT.matcher(value).matches())
        .ifPresent(value -> found.add(new Header("traceparent", value)));
    if (!found.isEmpty()) {
      call.header("tracestate")
          .filter(value -> TRACESTATE.matcher(value).matches())
          .ifPresent(value -> found.add(new Header("tracestate", value)));
    }
    return new TraceContext(List.copyOf(found));
  }

  /** An event's own headers, with the context unless the event brings one itself. */
  List<Header> addTo(List<Header> own) {
    if (headers.isEmpty() || own.stream().anyMatch(h -> h.name().equalsIgnoreCase("traceparent"))) {
      return own;
    }
    List<Header> all = new ArrayList<>(own);
    all.addAll(headers);
    return List.copyOf(all);
  }
}
