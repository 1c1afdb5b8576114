package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated world asked of its ledger, call by call in the order in which the calls took
 * effect, with what the ledger asked of its rules and what it answered: a script that another
 * ledger can be put through, and must answer alike.
 */
final class Recording {
  private final List<Call> calls = new ArrayList<>();

  /**
   * One call that took effect.
   *
   * @param now the ledger's clock at it
   * @param known whether the caller got its answer: false when the connection broke after the
   *     commit
   * @param questions what the ledger gave to the rules of this call, and got from them, in turn
   */
  record Call(
      Instant now,
      Method method,
      List<@Nullable Object> arguments,
      boolean known,
      @Nullable Object answer,
      List<Question> questions) {}

  /** A question of the ledger to a rule. */
  record Question(List<@Nullable Object> input, @Nullable Object output) {}

  /** The script so far. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  /**
   * A ledger that records. Each of its calls must take effect at once or not at all: nothing else
   * may come between.
   *
   * @param tookEffect whether a call that failed so took effect all the same
   */
  Ledger of(Ledger ledger, Supplier<Instant> clock, Predicate<Throwable> tookEffect) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              return method.getDeclaringClass() == Object.class
                  ? method.invoke(ledger, given)
                  : record(ledger, clock, tookEffect, method, given);
            });
  }

  private @Nullable Object record(
      Ledger ledger,
      Supplier<Instant> clock,
      Predicate<Throwable> tookEffect,
      Method method,
      Object[] arguments)
      throws Throwable {
    List<Question> questions = new ArrayList<>();
    @Nullable Object[] watched = new @Nullable Object[arguments.length];
    for (int i = 0; i < watched.length; i++) {
      watched[i] = watched(arguments[i], questions);
    }
    try {
      Object answer = method.invoke(ledger, watched);
      calls.add(call(clock.get(), method, arguments, true, answer, questions));
      return answer;
    } catch (InvocationTargetException wrapped) {
      if (tookEffect.test(wrapped.getCause())) {
        calls.add(call(clock.get(), method, arguments, false, null, questions));
      }
      throw wrapped.getCause();
    }
  }

  private static Call call(
      Instant now,
      Method method,
      Object[] arguments,
      boolean known,
      @Nullable Object answer,
      List<Question> questions) {
    return new Call(now, method, Arrays.asList(arguments), known, answer, questions);
  }

  private static @Nullable Object watched(@Nullable Object argument, List<Question> questions) {
    return switch (argument) {
      case null -> null;
      case ClaimRules rules -> new WatchedClaim(rules, questions);
      case SettleRules rules -> new WatchedSettle(rules, questions);
      case BudgetRule rule ->
          (BudgetRule)
              (budgetId, state, now) -> {
                BudgetState after = rule.apply(budgetId, state, now);
                questions.add(question(after, budgetId, state, now));
                return after;
              };
      default -> argument;
    };
  }

  private static Question question(@Nullable Object output, @Nullable Object... input) {
    return new Question(Arrays.asList(input), output);
  }

  private record WatchedClaim(ClaimRules rules, List<Question> questions) implements ClaimRules {
    @Override
    public List<Grant> decide(Instant now, List<Asking> asking) {
      List<Grant> grants = rules.decide(now, asking);
      questions.add(question(grants, now, asking));
      return grants;
    }

    @Override
    public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
      Map<String, BudgetState> states = rules.debit(now, leased);
      questions.add(question(states, now, leased));
      return states;
    }
  }

  private record WatchedSettle(SettleRules rules, List<Question> questions) implements SettleRules {
    @Override
    public List<Move> moves(
        Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
      List<Move> moves = rules.moves(now, batch, budgets);
      questions.add(question(moves, now, batch, new LinkedHashMap<>(budgets)));
      return moves;
    }

    @Override
    public Map<String, BudgetState> feed(
        Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
      Map<String, BudgetState> states = rules.feed(now, applied, budgets);
      questions.add(question(states, now, applied, new LinkedHashMap<>(budgets)));
      return states;
    }
  }

  /** Puts another ledger through a call; its rules answer what was answered then. */
  static Replayed replay(Call call, Ledger ledger) {
    List<Question> asked = new ArrayList<>();
    @Nullable Object[] arguments = new @Nullable Object[call.arguments().size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = answering(call.arguments().get(i), call, asked);
    }
    try {
      return new Replayed(call.method().invoke(ledger, arguments), asked);
    } catch (InvocationTargetException failure) {
      throw new AssertionError(
          "the other ledger failed in " + call.method().getName(), failure.getCause());
    } catch (IllegalAccessException impossible) {
      throw new LinkageError("every method of the port is public", impossible);
    }
  }

  /** What the other ledger answered, and asked of the rules. */
  record Replayed(@Nullable Object answer, List<Question> questions) {}

  private static @Nullable Object answering(
      @Nullable Object argument, Call call, List<Question> asked) {
    return switch (argument) {
      case null -> null;
      case ClaimRules _ -> new AnsweringClaim(call, asked);
      case SettleRules _ -> new AnsweringSettle(call, asked);
      case BudgetRule _ ->
          (BudgetRule)
              (budgetId, state, now) -> (BudgetState) ask(call, asked, budgetId, state, now);
      default -> argument;
    };
  }

  private static Object ask(Call call, List<Question> asked, @Nullable Object... input) {
    if (asked.size() == call.questions().size()) {
      throw new AssertionError(call.method().getName() + " asked its rules once more");
    }
    Object output = call.questions().get(asked.size()).output();
    asked.add(question(output, input));
    return Objects.requireNonNull(output);
  }

  @SuppressWarnings("unchecked") // each question was recorded by the same method
  private record AnsweringClaim(Call call, List<Question> asked) implements ClaimRules {
    @Override
    public List<Grant> decide(Instant now, List<Asking> asking) {
      return (List<Grant>) ask(call, asked, now, asking);
    }

    @Override
    public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
      return (Map<String, BudgetState>) ask(call, asked, now, leased);
    }
  }

  @SuppressWarnings("unchecked") // each question was recorded by the same method
  private record AnsweringSettle(Call call, List<Question> asked) implements SettleRules {
    @Override
    public List<Move> moves(
        Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
      return (List<Move>) ask(call, asked, now, batch, new LinkedHashMap<>(budgets));
    }

    @Override
    public Map<String, BudgetState> feed(
        Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
      return applied.isEmpty() // a ledger may ask, or know, that nothing feeds nothing
          ? Map.of()
          : (Map<String, BudgetState>) ask(call, asked, now, applied, new LinkedHashMap<>(budgets));
    }
  }
}
