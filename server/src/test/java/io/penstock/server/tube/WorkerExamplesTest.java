package io.penstock.server.tube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.host.Signal;
import io.penstock.engine.host.SystemHost;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The workers that people copy, as real processes, killed too. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class WorkerExamplesTest {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final TestingTubes tubes;
  private final Path folder;
  private final SystemHost host = new SystemHost();
  private final List<Process> started = new ArrayList<>();

  WorkerExamplesTest(TestDatabase database, @TempDir Path folder) {
    this.folder = folder;
    tubes = TestingTubes.start(database, folder, "2s");
  }

  @AfterEach
  void endWorkers() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    started.clear();
  }

  @AfterAll
  void stop() {
    host.close();
    tubes.close();
  }

  /** The examples. */
  enum Worker {
    PYTHON("python3", "worker.py"),
    SHELL("bash", "worker.sh");

    private final String program;
    private final String file;

    Worker(String program, String file) {
      this.program = program;
      this.file = file;
    }

    String tube(String name) {
      return name + "-" + program;
    }
  }

  private Process start(Worker worker, String tube, String command) throws IOException {
    assumeTrue(
        isThere(worker.program) && (worker == Worker.PYTHON || isThere("curl")),
        worker.program + " and curl are wanted for this test");
    Path script = examples().resolve(worker.file);
    List<String> line = new ArrayList<>(List.of(worker.program, script.toString()));
    if (worker == Worker.SHELL) {
      line.addAll(List.of("sh", "-c", "exec " + command));
    }
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("PENSTOCK_URL", tubes.api.url().toString());
    builder.environment().put("PENSTOCK_API_KEY", tubes.worker);
    builder.environment().put("PENSTOCK_TUBES", tube);
    builder.environment().put("PENSTOCK_GRACE", "1");
    builder.environment().put("PENSTOCK_COMMAND", "exec " + command);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Path log() {
    return folder.resolve("workers.log");
  }

  private static boolean isThere(String program) {
    for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(place).resolve(program))) {
        return true;
      }
    }
    return false;
  }

  private static Path examples() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("examples/tubes"))) {
        return at.resolve("examples/tubes");
      }
    }
    throw new IllegalStateException("there is no examples/tubes here or above");
  }

  private void await(String what, BooleanSupplier wanted) throws IOException {
    Signal never = host.newSignal();
    for (int looks = 0; looks < 800; looks++) {
      if (wanted.getAsBoolean()) {
        return;
      }
      never.awaitBeyond(never.count(), LOOK);
    }
    throw new AssertionError(what + " did not come; " + Files.readString(log()));
  }

  private boolean isRunning(String tube) {
    return tubes.tube(tube).path("running").asInt() == 1;
  }

  @ParameterizedTest
  @EnumSource
  void aWorkerLeasesWorksAndFinishes(Worker worker) throws Exception {
    String tube = worker.tube("works");
    tubes.tube(tube, 1.0, Duration.ofSeconds(1));
    String first = tubes.post(tube);
    Process process = start(worker, tube, "cat");
    await("a delivery", () -> tubes.state(tube, first).equals("delivered"));
    String second = tubes.post(tube);
    await("another", () -> tubes.state(tube, second).equals("delivered"));
    assertThat(process.isAlive()).isTrue();
    assertThat(tubes.tube(tube).at("/runs/completed").asLong()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aCommandThatFailsFailsTheJob(Worker worker) throws Exception {
    String tube = worker.tube("fails");
    tubes.tube(tube, 1.0, Duration.ofSeconds(1));
    String event = tubes.post(tube);
    start(worker, tube, "false");
    await("a failure", () -> tubes.state(tube, event).equals("retrying"));
    assertThat(tubes.tube(tube).at("/runs/failed").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("case 25: a job that outlives its lease is renewed in the background")
  void case25_aLongJobIsRenewed(Worker worker) throws Exception {
    String tube = worker.tube("long");
    tubes.tube(tube, 1.0, Duration.ofSeconds(1));
    String event = tubes.post(tube);
    start(worker, tube, "sleep 5");
    await("a delivery", () -> tubes.state(tube, event).equals("delivered"));
    assertThat(tubes.tube(tube).at("/runs/lost").asLong()).isZero();
    assertThat(tubes.tube(tube).path("work").path("charged_seconds").asDouble()).isGreaterThan(4.5);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("case 24: the job of a worker killed with -9 is back within its lease")
  void case24_aKilledWorkersJobIsDoneByAnother(Worker worker) throws Exception {
    String tube = worker.tube("killed");
    tubes.tube(tube, 5.0, Duration.ofSeconds(1));
    String event = tubes.post(tube);
    Process victim = start(worker, tube, "sleep 60");
    await("a lease", () -> isRunning(tube));
    victim.descendants().forEach(ProcessHandle::destroyForcibly);
    victim.destroyForcibly().waitFor();
    long killed = host.nanoTime();
    await("the loss", () -> tubes.state(tube, event).equals("retrying"));
    assertThat(Duration.ofNanos(host.nanoTime() - killed)).isLessThan(Duration.ofSeconds(6));
    start(worker, tube, "cat");
    await("a delivery", () -> tubes.state(tube, event).equals("delivered"));
    assertThat(tubes.tube(tube).path("running").asInt()).isZero();
    assertThat(tubes.tube(tube).at("/runs/lost").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("case 29: a worker that is told to stop hands its job back, and spends no attempt")
  void case29_aStoppedWorkerHandsBack(Worker worker) throws Exception {
    String tube = worker.tube("stopped");
    tubes.tube(tube, 1.0, Duration.ofSeconds(1));
    String event = tubes.post(tube);
    Process process = start(worker, tube, "sleep 60");
    await("a lease", () -> isRunning(tube));
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(tubes.state(tube, event)).isEqualTo("pending");
    assertThat(tubes.tube(tube).path("running").asInt()).isZero();
    assertThat(tubes.tube(tube).at("/runs/released").asLong()).isEqualTo(1);
    assertThat(tubes.leaseOne(tube).path("attempt").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aWorkerThatHasNothingToDoStopsWhenItIsTold(Worker worker) throws Exception {
    String tube = worker.tube("nothing");
    tubes.tube(tube, 1.0, Duration.ofSeconds(1));
    Process process = start(worker, tube, "cat");
    await(
        "a poll",
        () ->
            tubes
                .api
                .get("/v1/workers?limit=250")
                .json()
                .path("items")
                .toString()
                .contains("\"tubes\":[\"" + tube));
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
