package io.penstock.push.outbound;

import io.penstock.engine.transport.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * The raw bytes of a request, which go back to their lender as soon as they are written: a slow
 * receiver must not hold memory while it thinks. Used by one thread.
 */
public final class RequestBody {
  private Attempt.@Nullable Loan loan;
  private byte @Nullable [] bytes;

  private RequestBody(byte[] bytes, Attempt.@Nullable Loan loan) {
    this.bytes = bytes;
    this.loan = loan;
  }

  /** Bytes of the caller's own. */
  public static RequestBody of(byte[] bytes) {
    return new RequestBody(bytes, null);
  }

  /** Bytes on loan; the loan is closed when they are written or {@link #release} is called. */
  public static RequestBody lent(Attempt.Loan loan) {
    return new RequestBody(loan.bytes(), loan);
  }

  /** Throws IllegalStateException after the release. */
  public byte[] bytes() {
    if (bytes == null) {
      throw new IllegalStateException("the body was given back already");
    }
    return bytes;
  }

  /** Gives the bytes back; does nothing the second time. */
  public void release() {
    bytes = null;
    if (loan != null) {
      loan.close();
      loan = null;
    }
  }

  /** As the HTTP client wants it: without a content type, which is among the headers. */
  AbstractHttpEntity entity() {
    return new Entity(this);
  }

  private static final class Entity extends AbstractHttpEntity {
    private final RequestBody body;
    private final int length;

    Entity(RequestBody body) {
      super((String) null, null, false);
      this.body = body;
      this.length = body.bytes().length;
    }

    @Override
    public long getContentLength() {
      return length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(body.bytes());
    }

    @Override
    public InputStream getContent() {
      throw new UnsupportedOperationException("the body is written, not read");
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public void close() {}
  }
}
