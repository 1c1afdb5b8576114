package io.penstock.server.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A file of ours that cannot be used: all that is wrong with it, in the order of the file. */
public final class FaultyFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Fault> faults;

  public FaultyFileException(List<Fault> faults) {
    super(
        faults.stream().map(Fault::toString).collect(Collectors.joining("\n")), null, false, false);
    this.faults = List.copyOf(faults);
  }

  public List<Fault> faults() {
    return faults;
  }
}
