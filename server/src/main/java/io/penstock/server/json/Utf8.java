package io.penstock.server.json;

/** Checks bytes before anything parses them. */
public final class Utf8 {
  private Utf8() {}

  /**
   * The offset of the first byte that no JSON text holds: broken UTF-8 (RFC 3629: no overlong
   * forms, no surrogates, nothing past U+10FFFF) or a NUL byte; -1 when all bytes are good.
   */
  public static int firstFault(byte[] bytes) {
    int i = 0;
    while (i < bytes.length) {
      int b = bytes[i];
      if (b > 0) {
        i++;
        continue;
      }
      int length = sequenceLength(bytes, i);
      if (length == 0) {
        return i;
      }
      i += length;
    }
    return -1;
  }

  /** The length of the well-formed sequence of several bytes that starts at i, or 0. */
  private static int sequenceLength(byte[] bytes, int i) {
    int lead = bytes[i] & 0xff;
    int length;
    int lowest = 0x80;
    int highest = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
      length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      length = 3;
      lowest = lead == 0xe0 ? 0xa0 : lowest;
      highest = lead == 0xed ? 0x9f : highest;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      length = 4;
      lowest = lead == 0xf0 ? 0x90 : lowest;
      highest = lead == 0xf4 ? 0x8f : highest;
    } else {
      return 0;
    }
    if (i + length > bytes.length) {
      return 0;
    }
    int second = bytes[i + 1] & 0xff;
    boolean good = second >= lowest && second <= highest;
    for (int j = i + 2; j < i + length; j++) {
      good &= (bytes[j] & 0xc0) == 0x80;
    }
    return good ? length : 0;
  }
}
