package io.penstock.push.outbound;

import io.penstock.engine.event.Header;
import io.penstock.push.guard.Target;
import java.time.Duration;
import java.util.List;

/**
 * One request to be made.
 *
 * @param target what the guard allowed
 * @param headers in the order and the case in which they are to be sent
 * @param body sent with its length; released when it is written
 * @param deadline from now to the end of the answer, look-up of the name included
 */
public record Call(
    String method, Target target, List<Header> headers, RequestBody body, Duration deadline) {}
