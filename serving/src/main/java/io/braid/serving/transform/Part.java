package io.braid.serving.transform;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;

/**
 * Some of a value, as a reader wants it.
 *
 * @param from the first byte or element, from 0
 * @param count the most of them
 */
@API(status = API.Status.EXPERIMENTAL)
public record Part(Transform transform, int from, int count) {
  public Part {
    if (from < 0 || count < 0) {
      throw new IllegalArgumentException("A part begins at 0 or later and has 0 or more of it.");
    }
  }

  /**
   * The part of a value.
   *
   * @throws IllegalArgumentException when the value is not of the transform's kind
   */
  public Bytes of(Bytes value) {
    return transform.part(value, from, count);
  }

  /** Returns the part as it is written in requests: {@code list 0 10}. */
  public String text() {
    return transform.text() + " " + from + " " + count;
  }

  /**
   * The one that is written so.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static Part parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 3 || !words[1].matches("[0-9]{1,10}") || !words[2].matches("[0-9]{1,10}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no part of a value: write a transform, from where, and how many.");
    }
    return new Part(
        Transform.named(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
  }
}
