package io.penstock.gameday.stand;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** An API key that may do everything, put straight into the database of a stand. */
final class AdminKey {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int RANDOM_CHARS = 32;
  private static final int CHECK_CHARS = 7;
  private static final int ID_CHARS = 11;

  private AdminKey() {}

  /** Makes one; the text to send. Not fit for secrets: whoever reads the seed knows it. */
  static String make(Ledger ledger, RandomGenerator random) throws SQLException {
    String chars =
        random
            .ints(RANDOM_CHARS, 0, DIGITS.length())
            .mapToObj(digit -> DIGITS.substring(digit, digit + 1))
            .collect(Collectors.joining());
    String key = "ps_" + chars + check(chars);
    String insert =
        """
        insert into penstock.api_key (key_id, name, hash, scopes, tenant_ids, created_at)
        values (?, 'stand', ?, '{admin}', '{}', now())
        """;
    try (Connection connection = ledger.connect();
        PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, key.substring(0, ID_CHARS));
      statement.setBytes(2, sha256(key));
      statement.execute();
    }
    return key;
  }

  private static String check(String chars) {
    CRC32 crc = new CRC32();
    crc.update(chars.getBytes(StandardCharsets.US_ASCII));
    StringBuilder check = new StringBuilder();
    for (int i = 0; i < CHECK_CHARS; i++) {
      int bits = (int) (crc.getValue() >>> (5 * i)) & 31;
      check.insert(0, DIGITS.charAt(bits));
    }
    return check.toString();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
