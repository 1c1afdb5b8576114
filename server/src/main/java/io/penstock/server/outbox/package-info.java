/** What operators see of the outbox, and what runs it. */
@NullMarked
package io.penstock.server.outbox;

import org.jspecify.annotations.NullMarked;
