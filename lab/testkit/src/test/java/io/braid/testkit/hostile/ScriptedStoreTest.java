package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptedStoreTest {
  private final Notebook notebook = new Notebook();
  private final ScriptedStore store = new ScriptedStore(notebook.memory);

  /** The caller dies. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void hookRunsJustBeforeTheCall() {
    store.on(Notebook.ADD).before(call -> Notebook.add(notebook.memory, "a=first"));

    assertThat(Notebook.add(store, "a=second")).isEqualTo(Outcome.done("added second"));

    assertThat(notebook.words("a")).isEqualTo("first second");
  }

  @Test
  void hookRunsJustAfterTheCall() {
    store.on(Notebook.ADD).after(call -> Notebook.add(notebook.memory, "a=second"));

    assertThat(Notebook.add(store, "a=first")).isEqualTo(Outcome.done("added first"));

    assertThat(notebook.words("a")).isEqualTo("first second");
  }

  @Test
  void hookMayUseTheStoreItself() {
    store.on(Notebook.ADD).before(call -> Notebook.add(store, "a=first"));

    Notebook.add(store, "a=second");

    assertThat(notebook.words("a")).isEqualTo("first second");
    assertThat(store.waiting()).isEmpty();
  }

  @Test
  void crashBeforeTheCallLeavesNothingOfItAndCrashAfterLeavesItDone() {
    store.on(Notebook.ADD).before(call -> crash());
    assertThatThrownBy(() -> Notebook.add(store, "a=1")).isInstanceOf(Crash.class);
    assertThat(notebook.words("a")).isEmpty();

    store.on(Notebook.ADD).after(call -> crash());
    assertThatThrownBy(() -> Notebook.add(store, "a=2")).isInstanceOf(Crash.class);
    assertThat(notebook.words("a")).isEqualTo("2");
  }

  @Test
  void itemsBeforeACrashWithinACallAreDoneAndThoseBehindAreNot() {
    store.on(Notebook.ADD).touching(Notebook.row("b")).before(call -> crash());

    assertThatThrownBy(() -> Notebook.add(store, List.of("a=1", "b=1", "c=1")))
        .isInstanceOf(Crash.class);

    assertThat(Notebook.keys(notebook.memory)).containsExactly("a");
  }

  @Test
  void ruleHoldsForOneCallOfItsNameAndRows() {
    store.on(Notebook.ADD).touching(Notebook.row("b")).lose();

    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Done.class);
    assertThat(store.execute(Notebook.OTHER, "b=1", Durability.BUFFERED))
        .isInstanceOf(Outcome.Done.class);
    assertThat(store.waiting()).hasSize(1);
    assertThat(Notebook.add(store, "b=2")).isInstanceOf(Outcome.Unknown.class);
    assertThat(Notebook.add(store, "b=3")).isInstanceOf(Outcome.Done.class);

    assertThat(notebook.words("b")).isEqualTo("1 3");
    assertThat(store.waiting()).isEmpty();
  }

  @Test
  void numberedRuleWaitsForItsCall() {
    store.on(Notebook.ADD).number(3).refuse(Outcome.Reason.READ_ONLY);

    List<Outcome<String>> outcomes = Notebook.add(store, List.of("a=1", "b=1", "c=1", "d=1"));

    assertThat(outcomes.get(2)).isInstanceOf(Outcome.NotExecuted.class);
    assertThat(Notebook.keys(notebook.memory)).containsExactly("a", "b", "d");
  }

  @Test
  void lostCallMayBeKeptAndRunLater() {
    List<Call<?>> kept = new ArrayList<>();
    store.on(Notebook.ADD).lose(kept::add);
    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Unknown.class);
    Notebook.add(store, "a=2");
    kept.forEach(Call::run);

    assertThat(notebook.words("a")).isEqualTo("2 1");
  }

  @Test
  void answerIsLostAfterTheCall() {
    store.on(Call.WRITE).loseAnswer();

    assertThat(Notebook.write(store, "a", "x")).isInstanceOf(Outcome.Unknown.class);

    assertThat(notebook.words("a")).isEqualTo("x");
  }

  @Test
  void callsAreRemembered() {
    store.on(Notebook.ADD).lose();
    Notebook.add(store, List.of("a=1", "b=1"));
    Notebook.write(store, "c", "x");

    assertThat(store.calls()).hasSize(3);
    assertThat(store.calls("add")).isEqualTo(2);
    assertThat(store.calls(Call.WRITE)).isEqualTo(1);
  }

  private static void crash() {
    throw new Crash();
  }
}
