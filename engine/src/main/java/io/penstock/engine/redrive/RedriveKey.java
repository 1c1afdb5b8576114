package io.penstock.engine.redrive;

/**
 * Names a redrive.
 *
 * @param shard of its destination
 * @param id ASCII, unique in the installation, for instance {@code rdr_5f0c2a91d3e47b60}
 */
public record RedriveKey(int shard, String id) {}
