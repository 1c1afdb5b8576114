package io.penstock.server.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static boolean strictlyGood(byte[] bytes) {
    try {
      var _ =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes));
      for (byte b : bytes) {
        if (b == 0) {
          return false;
        }
      }
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static void judge(byte[] bytes) {
    boolean good = Utf8.firstFault(bytes) < 0;
    if (good != strictlyGood(bytes)) {
      // The seed is in the test; the bytes say all.
      throw new AssertionError("%s judged %s".formatted(HexFormat.of().formatHex(bytes), good));
    }
  }

  @Test
  void everyPairOfBytesIsJudgedAsTheJdkDoes() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        byte[] pair = {(byte) a, (byte) b};
        judge(pair);
      }
    }
  }

  @Test
  void randomBytesAreJudgedAsTheJdkDoes() {
    long seed = 20_261_130;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    int[] leads = {0x41, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0x80, 0xbf};
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes = new byte[random.nextInt(1, 6)];
      random.nextBytes(bytes);
      bytes[0] = (byte) leads[random.nextInt(leads.length)];
      for (int i = 1; i < bytes.length; i++) {
        if (random.nextInt(4) > 0) {
          bytes[i] = (byte) (0x80 | (bytes[i] & 0x3f));
        }
      }
      judge(bytes);
    }
  }

  @Test
  void theFirstFaultIsNamed() {
    assertThat(Utf8.firstFault("abc\0".getBytes(UTF_8))).isEqualTo(3);
    assertThat(Utf8.firstFault(new byte[] {'a', (byte) 0xff})).isEqualTo(1);
    assertThat(Utf8.firstFault("äöü€🦊".getBytes(UTF_8))).isEqualTo(-1);
  }
}
