/** What operators were told, on Postgres. */
@NullMarked
package io.penstock.postgres.notice;

import org.jspecify.annotations.NullMarked;
