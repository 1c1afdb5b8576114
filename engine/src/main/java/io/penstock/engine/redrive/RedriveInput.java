package io.penstock.engine.redrive;

import io.penstock.engine.destination.Gate;
import org.jspecify.annotations.Nullable;

/**
 * What a step sees beside the task's own state.
 *
 * @param frozen whether every death that got its number before the start has committed or rolled
 *     back
 * @param closed why the destination is not served; null = it is
 * @param ready deliveries of the destination that are due, counted up to the low watermark
 */
public record RedriveInput(boolean frozen, Gate.@Nullable Closed closed, int ready) {}
