package io.braid.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.testkit.MemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person sees: tables that fit the terminal, and what may come next. */
class DrawingTest {
  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
  private final Verbs verbs = new Verbs();
  private final StringWriter out = new StringWriter();
  private int width = 60;
  private final Session session = new Session(db, new DrawnView(new PrintWriter(out), () -> width));

  @BeforeEach
  void someRows() {
    for (String line :
        List.of(
            "create accounts balance",
            "set accounts bob balance:usd 10 balance:eur 2",
            "set accounts joe balance:usd 3")) {
      verbs.run(session, Statement.parse(line));
    }
    out.getBuffer().setLength(0);
  }

  @AfterEach
  void close() {
    session.close();
    db.close();
  }

  @Test
  void aTableHasAColumnForEachColumn() {
    verbs.run(session, Statement.parse("scan accounts"));

    assertThat(out.toString().lines())
        .containsExactly(
            "┌─────┬─────────────┬─────────────┐",
            "│ row │ balance:eur │ balance:usd │",
            "├─────┼─────────────┼─────────────┤",
            "│ bob │ 2           │ 10          │",
            "│ joe │             │ 3           │",
            "└─────┴─────────────┴─────────────┘",
            "2 rows");
  }

  @Test
  void whatIsTooWideBecomesALineForEachValueAndIsCut() {
    verbs.run(session, Statement.parse("set accounts wide balance:text " + "x".repeat(200)));
    out.getBuffer().setLength(0);
    verbs.run(session, Statement.parse("scan accounts"));

    assertThat(out.toString()).contains("│ row  │ column       │ value", "xxx…");
    assertThat(out.toString().lines().mapToInt(String::length)).allMatch(n -> n <= 60);
  }

  @Test
  void anExplanationGoesOnInTheNextLine() {
    verbs.run(session, Statement.parse("explain accounts joe"));

    assertThat(out.toString()).contains("put 3", "committed").doesNotContain("…");
    assertThat(out.toString().lines().skip(1).mapToInt(String::length)).allMatch(n -> n <= 60);
  }

  @Test
  void whatMayComeNextIsOffered() {
    Completion completion = new Completion(db, verbs);

    assertThat(completion.candidates(List.of(), "")).contains("get", "explain", "rollback");
    assertThat(completion.candidates(List.of("get"), "")).containsExactly("accounts");
    assertThat(completion.candidates(List.of("get", "accounts"), "b")).containsExactly("bob");
    assertThat(completion.candidates(List.of("set", "accounts", "bob"), ""))
        .containsExactly("balance:eur", "balance:usd", "balance:");
    assertThat(completion.candidates(List.of("set", "accounts", "bob", "balance:usd"), "1"))
        .isEmpty();
    assertThat(completion.candidates(List.of("set", "accounts", "bob", "balance:usd", "1"), ""))
        .contains("balance:");
  }
}
