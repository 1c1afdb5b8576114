package io.penstock.push.outbound;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads status line and headers, and stops at a bound for all of them together. When the bound is
 * hit after the status line, the status still counts: a receiver that took the event and sends too
 * many cookies has taken the event. One per connection, used by one thread at a time.
 */
final class AnswerHeadParser extends DefaultHttpResponseParser {
  /** Status line and headers together; more is no honest answer. */
  static final int MAX_BYTES = 16 * 1024;

  private static final int MAX_HEADERS = 256;

  /** Line lengths are bounded by the whole. */
  static final Http1Config CONFIG =
      Http1Config.custom().setMaxLineLength(MAX_BYTES).setMaxHeaderCount(MAX_HEADERS).build();

  /** The head went over its bound after this status. */
  static final class HeadTooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    HeadTooLargeException(int status, Exception cause) {
      super("the head of the answer is over %d bytes".formatted(MAX_BYTES), cause);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private @Nullable ClassicHttpResponse begun;

  AnswerHeadParser() {
    super(CONFIG);
  }

  @Override
  public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in)
      throws IOException, HttpException {
    begun = null;
    try {
      return super.parse(buffer, new Bounded(in));
    } catch (MessageConstraintException e) {
      if (begun != null) {
        throw new HeadTooLargeException(begun.getCode(), e);
      }
      throw e;
    }
  }

  @Override
  protected ClassicHttpResponse createMessage(CharArrayBuffer statusLine)
      throws IOException, HttpException {
    ClassicHttpResponse message = super.createMessage(statusLine);
    begun = message;
    return message;
  }

  /** Lets a head's worth of bytes through. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private int left = MAX_BYTES;

    Bounded(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left == 0) {
        throw new MessageConstraintException("the head is over %d bytes".formatted(MAX_BYTES));
      }
      int read = in.read(bytes, offset, Math.min(length, left));
      left -= Math.max(read, 0);
      return read;
    }
  }
}
