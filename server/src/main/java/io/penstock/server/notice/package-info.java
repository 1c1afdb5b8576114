/** Notices to operators, delivered by Penstock itself. */
@NullMarked
package io.penstock.server.notice;

import org.jspecify.annotations.NullMarked;
