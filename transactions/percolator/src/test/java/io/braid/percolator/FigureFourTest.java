package io.braid.percolator;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.Transaction;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Percolator, figure 4: Bob sends Joe seven dollars. The transcript shows every step. */
class FigureFourTest {
  private static final Column<String> BALANCE = Column.of("f", "bal", Codecs.utf8());
  private static final Row BOB = Lab.row("Bob");
  private static final Row JOE = Lab.row("Joe");

  private final Lab lab = new Lab(false);
  private final StringBuilder transcript = new StringBuilder();

  @Test
  void aTransferInTwoPhases() throws IOException {
    PercolatorTransactions transactions = lab.process("p");
    lab.oracle.skipTo(4);
    Transaction opening = transactions.begin();
    opening.set(BOB, BALANCE, "$10");
    opening.set(JOE, BALANCE, "$2");
    opening.commit();
    show("Bob has $10, Joe has $2.");

    lab.store.interceptor = this::showAfter;
    Transaction transfer = transactions.begin();
    transfer.set(BOB, BALANCE, "$3");
    transfer.set(JOE, BALANCE, "$9");
    transfer.commit();
    Golden.check("figure-4.txt", transcript.toString());
  }

  private <A, R> Outcome<R> showAfter(Intercepted.Call<A, R> call) {
    Outcome<R> outcome = call.run();
    show(
        call.procedure().name()
            + " on "
            + call.procedure().rows(call.argument()).get(0).key()
            + ":");
    return outcome;
  }

  private void show(String title) {
    transcript.append(title).append('\n');
    FormatText.of(lab.base, Lab.TABLE)
        .forEach(line -> transcript.append("  ").append(line).append('\n'));
  }
}
