package io.braid.testkit.hostile;

import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Places what a test wants exactly before, after or instead of a call: another client's action, a
 * crash (an exception thrown by the hook), a lost answer.
 *
 * <pre>{@code
 * store.on(Commit.PROCEDURE).touching(primary).before(call -> other.rollBack(primary));
 * store.on(Prewrite.PROCEDURE).number(2).after(call -> { throw new Crash(); });
 * store.on(Commit.PROCEDURE).loseAnswer();
 * }</pre>
 *
 * <p>Each rule holds for one call and is gone before its hook runs, so that the hook may use the
 * store itself. The first rule that matches holds.
 */
public final class ScriptedStore extends ItemStore {
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<Call<?>> calls = new CopyOnWriteArrayList<>();

  public ScriptedStore(CellStore store) {
    super(store);
  }

  /** Begins a rule for the next call of this name. */
  public Rule on(String name) {
    return new Rule(name);
  }

  /** Begins a rule for the next run of this procedure. */
  public Rule on(Procedure<?, ?> procedure) {
    return on(procedure.name());
  }

  /** Everything that was called, in order, the lost ones too. */
  public List<Call<?>> calls() {
    return List.copyOf(calls);
  }

  /** How many calls of this name there were. */
  public long calls(String name) {
    return calls.stream().filter(call -> call.name().equals(name)).count();
  }

  /** The rules that found no call yet; a test that is through has none. */
  public List<Rule> waiting() {
    return List.copyOf(rules);
  }

  @Override
  protected boolean befalls(Call<?> call) {
    calls.add(call);
    return rules.stream().anyMatch(rule -> rule.fits(call));
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    for (Rule rule : rules) {
      if (rule.fits(call) && rule.isDue() && rules.remove(rule)) {
        return rule.action.take(call);
      }
    }
    return call.run();
  }

  /** Decides the outcome of a call. */
  public interface Action {
    <R extends @Nullable Object> Outcome<R> take(Call<R> call);
  }

  /** A rule: the calls that it matches, and its action. */
  public final class Rule {
    private final String name;
    private final List<Row> rows = new ArrayList<>();
    private long toPass;
    private Action action = Call::run;

    private Rule(String name) {
      this.name = name;
    }

    /** Only calls that use this row. */
    public Rule touching(Row row) {
      rows.add(row);
      return this;
    }

    /** The {@code n}-th call that fits from now on, counted from 1. */
    public Rule number(int n) {
      toPass = n - 1L;
      return this;
    }

    /** Runs the hook, then the call. */
    public void before(Consumer<Call<?>> hook) {
      then(
          new Action() {
            @Override
            public <R extends @Nullable Object> Outcome<R> take(Call<R> call) {
              hook.accept(call);
              return call.run();
            }
          });
    }

    /** Runs the call, then the hook, then answers. */
    public void after(Consumer<Call<?>> hook) {
      then(
          new Action() {
            @Override
            public <R extends @Nullable Object> Outcome<R> take(Call<R> call) {
              Outcome<R> outcome = call.run();
              hook.accept(call);
              return outcome;
            }
          });
    }

    /** The call is not executed, and its outcome unknown. The hook may keep it and run it later. */
    public void lose(Consumer<Call<?>> hook) {
      then(
          new Action() {
            @Override
            public <R extends @Nullable Object> Outcome<R> take(Call<R> call) {
              hook.accept(call);
              return Outcome.unknown("The call was lost, by the script.");
            }
          });
    }

    /** The call is not executed, and its outcome unknown. */
    public void lose() {
      lose(call -> {});
    }

    /** The call is executed, and its outcome unknown. */
    public void loseAnswer() {
      then(
          new Action() {
            @Override
            public <R extends @Nullable Object> Outcome<R> take(Call<R> call) {
              call.run();
              return Outcome.unknown("The answer was lost, by the script.");
            }
          });
    }

    /** The call is not executed, and the caller knows. */
    public void refuse(Outcome.Reason reason) {
      then(
          new Action() {
            @Override
            public <R extends @Nullable Object> Outcome<R> take(Call<R> call) {
              return Outcome.notExecuted(reason, "Refused by the script.");
            }
          });
    }

    /** Takes the action. Ends the rule, as the methods above do: from now on it holds. */
    public void then(Action taken) {
      action = taken;
      rules.add(this);
    }

    private boolean fits(Call<?> call) {
      return call.name().equals(name) && call.rows().containsAll(rows);
    }

    private synchronized boolean isDue() {
      return toPass-- == 0;
    }

    @Override
    public String toString() {
      return "a call of " + name + (rows.isEmpty() ? "" : " on " + rows);
    }
  }
}
