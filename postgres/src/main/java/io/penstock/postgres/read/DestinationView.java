package io.penstock.postgres.read;

import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import java.time.Instant;

/**
 * A destination with its gates and its budget as they are now.
 *
 * @param gate its own flags
 * @param inForce the sum of its own gate, its tenant's and that of everything
 */
public record DestinationView(
    Destination destination, Instant createdAt, GateView gate, Gate inForce, BudgetState budget) {}
