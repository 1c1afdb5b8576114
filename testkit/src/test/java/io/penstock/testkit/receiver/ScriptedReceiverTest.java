package io.penstock.testkit.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ScriptedReceiverTest {
  @AutoClose private final ScriptedReceiver receiver = ScriptedReceiver.start();

  @Test
  void answers_by_script_and_then_by_rule_on_one_connection() throws IOException {
    receiver.then(Answer.throttled(7).saying("slow down"));
    try (Socket socket = connect()) {
      post(socket, "X-Odd-CASE: Kept\r\nContent-Length: 3\r\n", "abc");
      assertThat(read(socket)).startsWith("HTTP/1.1 429 ").contains("Retry-After: 7\r\n");
      post(socket, "Transfer-Encoding: chunked\r\n", "2\r\nab\r\n3;x=y\r\ncde\r\n0\r\n\r\n");
      assertThat(read(socket)).startsWith("HTTP/1.1 200");
    }
    var received = receiver.await(2, Duration.ofSeconds(10));
    assertThat(received.getFirst().headers().getFirst().name()).isEqualTo("X-Odd-CASE");
    assertThat(received.getFirst().header("x-odd-case")).contains("Kept");
    assertThat(received.getFirst().body()).asString().isEqualTo("abc");
    assertThat(received.getLast().body()).asString().isEqualTo("abcde");
    assertThat(receiver.connections()).isEqualTo(1);
  }

  @Test
  void resets_and_closes_are_told_apart() throws IOException {
    receiver.then(new Answer.Reset(), new Answer.Close());
    try (Socket socket = connect()) {
      post(socket, "Content-Length: 0\r\n", "");
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
    }
    try (Socket socket = connect()) {
      post(socket, "Content-Length: 0\r\n", "");
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void drips_and_holds_until_released() throws IOException {
    receiver.then(
        new Answer.Held(new Answer.Drip(Answer.ok().saying("slow"), 5, Duration.ofMillis(1))));
    try (Socket socket = connect()) {
      post(socket, "Content-Length: 0\r\n", "");
      receiver.await(1, Duration.ofSeconds(10));
      assertThat(socket.getInputStream().available()).isZero();
      receiver.release();
      assertThat(read(socket)).endsWith("slow");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), receiver.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void post(Socket socket, String headers, String body) throws IOException {
    String request = "POST /hook HTTP/1.1\r\n" + headers + "\r\n" + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Reads one whole answer. */
  private static String read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("\r\n\r\n")) {
      text.append((char) in.read());
    }
    String length = text.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1");
    return text + new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
  }
}
