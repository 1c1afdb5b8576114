package io.penstock.server.shelf;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups, biggest first.
 *
 * @param countedAt up to when they are counted, a second or so ago; null = not yet
 */
record GroupsBody(
    List<GroupBody> items,
    boolean hasMore,
    @Nullable String nextCursor,
    @Nullable Instant countedAt) {}
