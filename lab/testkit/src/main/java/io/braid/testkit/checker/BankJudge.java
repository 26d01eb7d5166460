package io.braid.testkit.checker;

import io.braid.testkit.checker.Replay.Line;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryFormatException;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges bank histories: every read of the balances shows all accounts, none overdrawn, and the sum
 * that the bank was opened with; and it shows exactly the transfers that had committed by its
 * timestamp. Accounts that a transfer of unknown outcome may have changed are not held to the
 * latter, from the start of that transfer on.
 */
final class BankJudge implements HistoryKind.Judge, Replay.Steps {
  private final Findings findings = new Findings();
  private final Replay replay = new Replay();
  private final Map<String, Long> uncertainFrom = new HashMap<>();
  private final Map<String, Line> lastWriters = new HashMap<>();

  /** As they are at this step of the replay. */
  private final Map<String, Long> balances = new TreeMap<>();

  private boolean opened;
  private long total;

  @Override
  public void add(long number, HistoryEntry entry) {
    if (entry.type() == HistoryEntry.Type.OK) {
      replay.add(new Line(number, entry));
      entry.ops().forEach(op -> noteOpening(number, op));
    } else if (entry.type() == HistoryEntry.Type.INFO) {
      entry.ops().forEach(op -> noteUncertainty(entry, op));
    }
  }

  private void noteOpening(long number, Op op) {
    if (op instanceof Op.Open open) {
      if (opened) {
        throw new HistoryFormatException("Line " + number + " opens the bank once more.");
      }
      opened = true;
      total = sum(open.balances());
    }
  }

  private void noteUncertainty(HistoryEntry entry, Op op) {
    if (op instanceof Op.Transfer transfer) {
      uncertainFrom.merge(transfer.from(), entry.start(), Math::min);
      uncertainFrom.merge(transfer.to(), entry.start(), Math::min);
    }
  }

  @Override
  public Findings finish() {
    if (!opened) {
      throw new HistoryFormatException("No committed transaction of the history opens the bank.");
    }
    replay.checkClock(findings);
    replay.run(this);
    return findings;
  }

  @Override
  public void read(Line line) {
    Map<String, Long> own = new HashMap<>();
    for (Op op : line.entry().ops()) {
      if (op instanceof Op.Transfer transfer) {
        own.merge(transfer.from(), -transfer.amount(), Long::sum);
        own.merge(transfer.to(), transfer.amount(), Long::sum);
      } else if (op instanceof Op.Balances seen) {
        checkSum(line, seen.balances());
        checkBalances(line, seen.balances(), own);
      }
    }
  }

  private void checkSum(Line line, Map<String, Long> seen) {
    long sum = sum(seen);
    if (sum != total) {
      String text = "The balances sum up to " + sum + ", but the bank holds " + total + ".";
      findings.add("wrong-total", text, List.of(line.toString(), seen.toString()));
    }
    seen.forEach(
        (account, balance) -> {
          if (balance < 0) {
            String text = "Account " + account + " is overdrawn: " + balance + ".";
            findings.add("overdrawn", text, List.of(line.toString()));
          }
        });
  }

  private void checkBalances(Line line, Map<String, Long> seen, Map<String, Long> own) {
    List<String> wrong = new ArrayList<>();
    balances.forEach(
        (account, balance) -> {
          Long found = seen.get(account);
          long expected = balance + own.getOrDefault(account, 0L);
          boolean certain =
              line.entry().end() < uncertainFrom.getOrDefault(account, Long.MAX_VALUE);
          if (found == null || certain && found != expected) {
            wrong.add(
                account + ": " + found + " was read where " + expected + " stood" + by(account));
          }
        });
    if (!wrong.isEmpty()) {
      wrong.add(0, line.toString());
      String text = "A read does not show what had committed by its timestamp, and nothing else.";
      findings.add("wrong-snapshot", text, wrong);
    }
  }

  private String by(String account) {
    Line writer = lastWriters.get(account);
    return writer == null ? "" : ", last changed by " + writer;
  }

  @Override
  public void apply(Line line) {
    for (Op op : line.entry().ops()) {
      if (op instanceof Op.Open open) {
        open.balances().forEach((account, balance) -> change(line, account, balance));
      } else if (op instanceof Op.Transfer transfer) {
        change(line, transfer.from(), -transfer.amount());
        change(line, transfer.to(), transfer.amount());
      }
    }
  }

  private void change(Line line, String account, long amount) {
    balances.merge(account, amount, Long::sum);
    Line before = lastWriters.put(account, line);
    if (before != null && before != line && before.entry().commit() > line.entry().snapshot()) {
      String text = "Two transactions that overlap changed account " + account + ".";
      findings.add("lost-update", text, List.of(before.toString(), line.toString()));
    }
  }

  private static long sum(Map<String, Long> balances) {
    return balances.values().stream().mapToLong(Long::longValue).sum();
  }
}
