package io.penstock.push.outbound;

import io.penstock.engine.event.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a call ended. */
public sealed interface CallResult {

  /** The address that was dialled, or tried last; null when it did not come to that. */
  @Nullable String address();

  /**
   * The receiver answered. Once the head of the answer is complete the status counts, whatever
   * happens to the body.
   *
   * @param status 200 to 999
   * @param headers in the order in which they came; none when there were too many
   * @param head the first bytes of the body, at most {@link OutboundClient#HEAD_BYTES}
   */
  @SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
  record Answered(int status, List<Header> headers, byte[] head, @Nullable String address)
      implements CallResult {

    /** All values of a header, whatever its case, in the order in which they came. */
    public List<String> header(String name) {
      List<String> values = List.of();
      for (Header header : headers) {
        if (header.name().equalsIgnoreCase(name)) {
          values = values.isEmpty() ? new ArrayList<>() : values;
          values.add(header.value());
        }
      }
      return values;
    }
  }

  /**
   * There is no answer.
   *
   * @param message for the operator; may hold the host and its address
   */
  record Failed(Failure failure, String message, @Nullable String address) implements CallResult {}
}
