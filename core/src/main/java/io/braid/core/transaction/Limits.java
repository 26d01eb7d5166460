package io.braid.core.transaction;

/**
 * What a transaction may write at most, in bytes. Larger input is refused before anything is
 * locked.
 *
 * @param keyBytes of a row key or a qualifier
 * @param valueBytes of one value
 * @param transactionBytes of all keys and values of a transaction
 */
public record Limits(int keyBytes, int valueBytes, long transactionBytes) {
  public static final Limits DEFAULT = new Limits(4 << 10, 16 << 20, 256L << 20);
}
