package io.penstock.engine.ledger;

import java.time.Duration;

/** One lease of a job that is to last {@code lease} from now on. */
public record Renewal(JobRef job, Duration lease) {}
