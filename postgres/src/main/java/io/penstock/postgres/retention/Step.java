package io.penstock.postgres.retention;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** One kind of upkeep, done in bites. */
interface Step {
  /** What it is called in reports: lower case with underscores. */
  String name();

  /** One bite; how many rows or partitions it did away with, 0 when nothing is left to do. */
  int bite(Handle handle, Instant now);
}
