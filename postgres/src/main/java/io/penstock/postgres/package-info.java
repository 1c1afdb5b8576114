/** The ledger's Postgres: how it is reached. What is done there lies in one package each. */
@NullMarked
package io.penstock.postgres;

import org.jspecify.annotations.NullMarked;
