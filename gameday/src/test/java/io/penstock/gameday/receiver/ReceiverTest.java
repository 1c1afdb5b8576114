package io.penstock.gameday.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ReceiverTest {
  @TempDir Path folder;

  private final AtomicLong clock = new AtomicLong();
  private Receiver receiver;
  private Thread thread;

  @BeforeEach
  void start() throws IOException {
    receiver =
        new Receiver(
            0,
            folder.resolve("receipts"),
            folder.resolve("arrivals"),
            () -> clock.addAndGet(1_000_000));
    thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                receiver.run();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  @AfterEach
  void stop() throws Exception {
    receiver.close();
    thread.join();
  }

  @Test
  void logs_what_it_answered_with_a_2xx() throws Exception {
    try (Socket socket = connect()) {
      assertThat(ask(socket, post("/", "evt-1", "hello"))).startsWith("HTTP/1.1 200");
      assertThat(ask(socket, post("/status/503", "evt-2", "hello"))).startsWith("HTTP/1.1 503");
      assertThat(ask(socket, post("/delay/1", "evt-3", ""))).startsWith("HTTP/1.1 200");
      assertThat(ask(socket, "GET /stats HTTP/1.1\r\n\r\n")).contains("content-type");
    }
    stop();

    assertThat(ReceiptLog.read(folder.resolve("receipts")))
        .extracting(ReceiptLog.Receipt::webhookId)
        .containsExactly("evt-1", "evt-3");
  }

  @Test
  void a_path_with_a_limit_keeps_to_it_and_every_arrival_is_logged() throws Exception {
    String path = "/limit/bucket/1/0/a";
    try (Socket socket = connect()) {
      assertThat(ask(socket, post(path, "evt-1", ""))).startsWith("HTTP/1.1 200");
      assertThat(ask(socket, post(path, "evt-2", ""))).startsWith("HTTP/1.1 429");
      assertThat(ask(socket, post("/limit/bucket/1/0/b", "evt-3", ""))).startsWith("HTTP/1.1 200");
      assertThat(ask(socket, post("/limit/tens_hint/1/0/c", "evt-4", "")))
          .startsWith("HTTP/1.1 200");
      assertThat(ask(socket, post("/limit/tens_hint/1/0/c", "evt-5", "")))
          .contains("retry-after: ");
    }
    stop();

    assertThat(ArrivalLog.read(folder.resolve("arrivals")))
        .extracting(ArrivalLog.Arrival::webhookId, ArrivalLog.Arrival::status)
        .containsExactly(
            tuple("evt-1", 200),
            tuple("evt-2", 429),
            tuple("evt-3", 200),
            tuple("evt-4", 200),
            tuple("evt-5", 429));
  }

  @Test
  void a_dripping_answer_comes_a_byte_at_a_time() throws Exception {
    try (Socket socket = connect()) {
      send(socket, post("/drip", "evt-1", ""));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      assertThat(socket.getInputStream().available()).isZero();
      clock.addAndGet(Answer.Drip.GAP.toNanos());
      assertThat(socket.getInputStream().read()).isEqualTo('T');
    }
  }

  @Test
  void a_request_in_two_pieces_counts_from_its_first_byte() throws Exception {
    try (Socket socket = connect()) {
      String request = post("/", "evt-1", "hello");
      send(socket, request.substring(0, 20));
      assertThat(ask(socket, request.substring(20))).startsWith("HTTP/1.1 200");
    }
    stop();

    ReceiptLog.Receipt receipt = ReceiptLog.read(folder.resolve("receipts")).getFirst();
    assertThat(receipt.webhookId()).isEqualTo("evt-1");
    assertThat(receipt.firstByteNanos()).isPositive().isLessThan(clock.get());
  }

  @Test
  void pipelined_requests_are_all_answered() throws Exception {
    try (Socket socket = connect()) {
      assertThat(ask(socket, post("/status/201", "a", "1") + post("/status/202", "b", "22")))
          .startsWith("HTTP/1.1 201");
      assertThat(readHead(socket)).startsWith("HTTP/1.1 202");
    }
  }

  @Test
  void a_reset_closes_without_an_answer() throws Exception {
    try (Socket socket = connect()) {
      assertThat(ask(socket, post("/reset", "evt-1", "hello"))).isEmpty();
    }
  }

  @Test
  void a_chunked_request_is_refused_aloud() {
    byte[] bytes =
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Request.parse(bytes, 0, bytes.length)).hasMessageContaining("chunked");
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), receiver.port());
  }

  private static String post(String path, String id, String body) {
    return "POST %s HTTP/1.1\r\nHost: x\r\nWebhook-Id: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(path, id, body.length(), body);
  }

  private static String ask(Socket socket, String request) throws IOException {
    send(socket, request);
    return readHead(socket);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static String readHead(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int c = in.read(); c >= 0; c = in.read()) {
      head.append((char) c);
      if (head.toString().endsWith("\r\n\r\n")) {
        break;
      }
    }
    return head.toString();
  }
}
