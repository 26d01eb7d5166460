package io.braid.testkit.history;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One operation of a transaction, with what it returned. Three kinds of history exist, and the
 * operations of one kind do not mix with those of another.
 */
public sealed interface Op {

  /** Appends a value to the list of a key; each value is appended to a key at most once. */
  record Append(String key, long value) implements Op {}

  /** Reads the whole list of a key. */
  record Read(String key, Longs values) implements Op {}

  /** Opens the bank: every account and its first balance. */
  record Open(Map<String, Long> balances) implements Op {
    public Open {
      balances = Collections.unmodifiableMap(new TreeMap<>(balances));
    }
  }

  /** Moves an amount between two accounts. */
  record Transfer(String from, String to, long amount) implements Op {}

  /** Reads all accounts. */
  record Balances(Map<String, Long> balances) implements Op {
    public Balances {
      balances = Collections.unmodifiableMap(new TreeMap<>(balances));
    }
  }

  /** Adds a member; each is inserted at most once, and deleted at most once for good. */
  record Insert(long member) implements Op {}

  /** Removes a member. */
  record Delete(long member) implements Op {}

  /** Scans the members from {@code from} up to {@code to}, which is not included. */
  record Range(long from, long to, Longs members) implements Op {}
}
