package io.penstock.engine.shelf;

import io.penstock.engine.delivery.Reason;

/**
 * What a reason means for whoever looks at the shelf, and what helps: the one table of remedies.
 *
 * @param means what happened, in a sentence
 * @param next what to do now, in a sentence or two
 */
public record Remedy(String means, String next) {

  /** The remedy of a reason. */
  public static Remedy of(Reason reason) {
    return switch (reason) {
      case EXHAUSTED ->
          new Remedy(
              "Every attempt that its destination allows failed.",
              "See the last status: when the receiver is well again, redrive the group; a canary of"
                  + " a few shows whether it is.");
      case EXPIRED ->
          new Remedy(
              "It waited longer than its destination's age limit.",
              "Find out why the destination was slow (penstock why), raise its rate or age limit if"
                  + " it is right to, and redrive what is still of use; redriven ones age anew.");
      case REJECTED ->
          new Remedy(
              "The receiver read it and said that it will never take it.",
              "Sending the same bytes again gets the same answer. Mend the receiver, then redrive;"
                  + " or mend what was sent, and post it as a new event.");
      case UNAUTHORISED ->
          new Remedy(
              "The receiver refused our credentials, three times or more.",
              "Put the signing key or the credential right on both sides, release the destination"
                  + " if it is held, then redrive.");
      case GONE ->
          new Remedy(
              "The receiver answered 410: this address is gone for good.",
              "Ask its owner for the new address. Enable the destination again once it answers,"
                  + " then redrive; or delete it.");
      case OUTCOME_UNKNOWN ->
          new Remedy(
              "It was sent and no answer came; it may have arrived.",
              "Ask the receiver whether it has the event's id (webhook-id). Redrive only those that"
                  + " it has not; the idempotency key stays the same.");
      case FORBIDDEN_HEADER ->
          new Remedy(
              "It carries a header that may not be sent.",
              "Post it as a new event without that header; a redrive would end the same way.");
      case BODY_TOO_LARGE ->
          new Remedy(
              "Its body is over the bound of what may be sent.",
              "Post a smaller event, or one that links to the data; a redrive would end the same"
                  + " way while the bound stays.");
      case DESTINATION_DISABLED ->
          new Remedy(
              "Its destination was disabled when it came, or while it waited.",
              "Enable the destination when it should take events again, then redrive.");
      case DESTINATION_DELETED ->
          new Remedy(
              "Its destination was deleted.",
              "Nothing can be sent there any more. If it is still of use, post it as a new event"
                  + " to the destination that took its place.");
      case BACKLOG_FULL ->
          new Remedy(
              "Too much waited for its destination when it came.",
              "Let the backlog drain, then redrive at a rate beside the destination's own; raise"
                  + " the bound if such peaks are usual.");
      case CANCELLED ->
          new Remedy(
              "An operator cancelled it.",
              "It does not lie on the shelf and has no way back: post it as a new event if that was"
                  + " a mistake.");
    };
  }
}
