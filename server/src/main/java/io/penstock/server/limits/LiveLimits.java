package io.penstock.server.limits;

import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.TenantLimits;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limits that this node obeys, replaced whole when there is a new version, and what it has to
 * say about files and versions that it refused. Safe for use by many threads.
 */
public final class LiveLimits implements Limits {
  private final int faster;
  private final AtomicLong refusals = new AtomicLong();
  private volatile InForce inForce;
  private volatile String fileComplaint = "";
  private volatile String versionComplaint = "";

  /** What is obeyed; {@code document} is empty while no version was made yet. */
  private record InForce(long versionNo, Limits limits, Optional<LimitsDocument> document) {}

  /**
   * Before any version.
   *
   * @param before what holds until there is one
   * @param faster how many times faster the tubes of a bench live than the limits say; usually 1
   */
  public LiveLimits(Limits before, int faster) {
    this.faster = faster;
    inForce =
        new InForce(
            0,
            before,
            before instanceof LimitsDocument document ? Optional.of(document) : Optional.empty());
  }

  /** From now on this version is obeyed. */
  void obey(long versionNo, LimitsDocument document) {
    inForce = new InForce(versionNo, document, Optional.of(document));
    versionComplaint = "";
  }

  /** The version that is obeyed; 0 = none was made yet. */
  public long versionNo() {
    return inForce.versionNo();
  }

  /** What is obeyed, as a document. */
  LimitsDocument document() {
    return inForce.document().orElse(LimitsDocument.DEFAULT);
  }

  /** A file was refused; what is wrong with it. */
  void fileRefused(String complaint) {
    refusals.incrementAndGet();
    fileComplaint = complaint;
  }

  /** The file is as it should be. */
  void fileAccepted() {
    fileComplaint = "";
  }

  /** What is wrong with the file; empty = nothing. */
  String fileComplaint() {
    return fileComplaint;
  }

  /** A version cannot be read by this program; the one before stays. */
  void versionRefused(String complaint) {
    refusals.incrementAndGet();
    versionComplaint = complaint;
  }

  /** Why this node does not obey the newest file or version; empty = it does. */
  public String complaint() {
    return versionComplaint.isEmpty() ? fileComplaint : versionComplaint;
  }

  /** How many files and versions were refused since the start. */
  long refusals() {
    return refusals.get();
  }

  /** One line for people. */
  public String line() {
    String version = versionNo() == 0 ? "no version yet" : "version " + versionNo();
    String complaint = complaint().lines().findFirst().orElse("");
    return complaint.isEmpty() ? version : version + "; refused: " + complaint;
  }

  @Override
  public DestinationLimits of(String destinationId) {
    DestinationLimits limits = inForce.limits().of(destinationId);
    return faster == 1 ? limits : limits.with(limits.tube().faster(faster));
  }

  @Override
  public TenantLimits ofTenant(String tenantId) {
    return inForce.limits().ofTenant(tenantId);
  }

  @Override
  public Map<String, PoolLimits> pools() {
    return inForce.limits().pools();
  }

  @Override
  public RetentionLimits retention() {
    return inForce.limits().retention();
  }

  @Override
  public AlertThresholds alerts() {
    return inForce.limits().alerts();
  }
}
