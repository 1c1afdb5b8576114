package io.penstock.engine.shelf;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.Seeds;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of an answer names its cause. */
class PhraseTest {
  private static String of(String answer) {
    return Phrase.of(answer.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "Bad Request                                    | bad request",
        "BAD   request\t!                               | bad request",
        "order 17 not found                             | order # not found",
        "order 99183 not found                          | order # not found",
        "id 0199c0de-0000-7000-8000-0000000000ab gone   | id # gone",
        "trace deadbeef failed                          | trace # failed",
        "the colour faded away                          | the colour faded away",
        "{\"error\":\"invalid signature\",\"code\":4711} | error invalid signature code #",
        "{'error': 'invalid signature'}                 | error invalid signature",
        "<html><head><title>502 Bad Gateway</title>     | # bad gateway",
        "no user ann@example.org here                   | no user # here",
        "see https://example.org/a/b for help           | see # for help",
        "1 2 3 4 go                                     | # go",
        "quota_exceeded: tenant-A                       | quota exceeded tenant a",
        "Ungültige Unterschrift für Kündigung           | ungültige unterschrift für kündigung",
        "a b c d e f g h i j k                          | a b c d e f g h",
        "ZWVlZWVlZWVlZWVlZWVlZWVlZWVl token             | # token",
      })
  void answersThatSayTheSameHaveOnePhrase(String answer, String phrase) {
    assertThat(of(answer)).isEqualTo(phrase);
  }

  @Test
  void anAnswerWithoutWordsHasAnEmptyPhrase() {
    assertThat(Phrase.of(new byte[0])).isEmpty();
    assertThat(of("!?.. <br/> \n\0")).isEmpty();
    assertThat(Phrase.of(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, (byte) 0x80})).isEmpty();
  }

  @Test
  void writingThatLooksTheSameCountsAsTheSame() {
    assertThat(of("ｂａｄ request")).isEqualTo("bad request");
    assertThat(of("b\u0301a\u0300d\u202e request\u200b")).doesNotContain("\u202e", "\u200b");
  }

  @Test
  void hostileBytesMakeAShortPhraseOfPlainWords() {
    Seeds.forEach(
        2_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(6_000)];
          random.nextBytes(bytes);
          String phrase = Phrase.of(bytes);
          assertThat(phrase.length()).isLessThanOrEqualTo(Phrase.MOST_CHARS);
          assertThat(phrase).matches("([\\p{L}#]+( [\\p{L}#]+){0,7})?");
        });
  }

  @Test
  void aLongAnswerCostsNoMoreThanItsBeginning() {
    assertThat(of("<a".repeat(100_000))).hasSizeLessThanOrEqualTo(Phrase.MOST_CHARS);
    assertThat(of("word ".repeat(100_000))).isEqualTo("word word word word word word word word");
  }
}
