/** Notices to operators: what to tell, when, and how much of it at once. */
@NullMarked
package io.penstock.engine.notice;

import org.jspecify.annotations.NullMarked;
