package io.penstock.engine.shelf;

import java.time.Instant;

/**
 * How many dead letters of a group lie on the shelf.
 *
 * @param letters 0 = the group is empty and may go
 * @param firstAt when the first of them came; none of those there now is older
 * @param lastAt when the last of them came
 * @param exampleNo number of the last one
 */
public record Tally(long letters, Instant firstAt, Instant lastAt, long exampleNo) {

  Tally plus(Instant at, long deadLetterNo) {
    return new Tally(
        letters + 1,
        at.isBefore(firstAt) ? at : firstAt,
        at.isAfter(lastAt) ? at : lastAt,
        Math.max(exampleNo, deadLetterNo));
  }

  Tally minusOne() {
    return new Tally(letters - 1, firstAt, lastAt, exampleNo);
  }

  Tally notBefore(Instant at) {
    Instant first = at.isAfter(firstAt) ? at : firstAt;
    return new Tally(letters, first.isAfter(lastAt) ? lastAt : first, lastAt, exampleNo);
  }
}
