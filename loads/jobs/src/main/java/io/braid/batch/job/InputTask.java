package io.braid.batch.job;

import org.apiguardian.api.API;

/**
 * A part of the input.
 *
 * @param number from 1 on
 * @param file the number of its file in the division
 * @param from where its first record begins, in the unit of {@link
 *     io.braid.batch.input.RawRecord#offset}
 * @param to where the next task's first record begins
 * @param at the place of the first record in the file, in bytes
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record InputTask(int number, int file, long from, long to, long at) {
  /** The end of a file whose length is not known. */
  public static final long END = Long.MAX_VALUE;

  /** Returns the name of its files. */
  String name() {
    return String.format(java.util.Locale.ROOT, "task-%05d", number);
  }
}
