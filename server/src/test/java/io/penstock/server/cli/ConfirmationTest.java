package io.penstock.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.client.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationTest {
  private final List<String> asked = new ArrayList<>();

  private Confirmation answering(String answer) {
    return new Confirmation(question -> {
      asked.add(question);
      return Optional.of(answer);
    });
  }

  @Test
  void whoSaysYesGoesOn() {
    assertThatCode(() -> answering(" yes ").of("disable everything")).doesNotThrowAnyException();
    assertThat(asked).containsExactly("This will disable everything. Type yes to go on: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "y", "no", "yes please"})
  void whateverElseIsSaidChangesNothing(String answer) {
    assertThatThrownBy(() -> answering(answer).of("disable everything"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("nothing was changed");
  }

  @Test
  void whereNobodyCanBeAskedTheFlagIsWanted() {
    Confirmation silent = new Confirmation(_ -> Optional.empty());
    assertThatThrownBy(() -> silent.of("disable everything")).hasMessageContaining("wanted --yes");
    silent.yes = true;
    assertThatCode(() -> silent.of("disable everything")).doesNotThrowAnyException();
  }
}
