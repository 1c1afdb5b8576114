package io.penstock.gameday.receiver;

import io.penstock.budget.SystemAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The receiver as a process: prints its port, serves until its input is closed. */
@Command(name = "receiver", description = "A receiver of webhooks, as bare as one can be.")
public final class ReceiverMain implements Callable<Integer> {
  @Option(names = "--port", defaultValue = "0", description = "0 = any free one")
  private int port;

  @Option(names = "--log", description = "Where to write receipts.")
  private @Nullable Path log;

  @Option(names = "--arrivals", description = "Where to write what came, whatever was answered.")
  private @Nullable Path arrivals;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ReceiverMain()).execute(arguments));
  }

  @Override
  @SystemAccess("times of receipts are compared with those of other processes")
  public Integer call() throws IOException {
    Receiver receiver = new Receiver(port, log, arrivals, System::nanoTime);
    System.out.println(receiver.port());
    Thread.ofPlatform().daemon().start(() -> closeAtEndOfInput(receiver));
    receiver.run();
    return 0;
  }

  // Whoever started us holds the other end: when it dies, however it dies, so do we.
  private static void closeAtEndOfInput(Receiver receiver) {
    try (receiver) {
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
