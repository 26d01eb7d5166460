package io.braid.batch.job;

/**
 * A part of the input.
 *
 * @param number from 1 on
 * @param file the number of its file in the division
 * @param from where its first record begins, in the uncompressed file
 * @param to where the next task's first record begins
 */
public record InputTask(int number, int file, long from, long to) {
  /** The end of a file whose length is not known. */
  public static final long END = Long.MAX_VALUE;

  /** How its files are named. */
  String name() {
    return String.format(java.util.Locale.ROOT, "task-%05d", number);
  }
}
