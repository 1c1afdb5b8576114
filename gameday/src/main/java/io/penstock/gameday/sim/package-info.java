/**
 * The simulator: the real engine on simulated time, chance, threads, network and the ledger in
 * memory, watched by an auditor with a model of its own.
 */
@NullMarked
package io.penstock.gameday.sim;

import org.jspecify.annotations.NullMarked;
