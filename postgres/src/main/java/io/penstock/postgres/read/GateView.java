package io.penstock.postgres.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The flags of one gate: of a destination, a tenant, or everything. */
public record GateView(
    boolean disabled, boolean paused, boolean held, long gateNo, @Nullable Instant reopenedAt) {}
