package io.penstock.engine.tube;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for.
 *
 * @param worker the name that it gave itself, for people
 * @param poolId the pool that it named; null = it named its tubes
 * @param tubes what it serves, 1 or more, each once
 * @param most jobs at most, 1 or more
 * @param patience how long it waits when there is nothing for it; zero = not at all
 */
public record LeaseRequest(
    String worker, @Nullable String poolId, List<Tube> tubes, int most, Duration patience) {}
