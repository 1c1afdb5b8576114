package io.penstock.server.shelf;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.shelf.Remedy;

/** What a reason means, and what to do about it. */
record RemedyBody(String means, String next) {
  static RemedyBody of(Reason reason) {
    Remedy remedy = Remedy.of(reason);
    return new RemedyBody(remedy.means(), remedy.next());
  }
}
