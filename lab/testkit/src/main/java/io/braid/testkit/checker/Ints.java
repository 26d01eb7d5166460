package io.braid.testkit.checker;

import java.util.Arrays;

/** A stack of numbers without boxes. */
final class Ints {
  private int[] values = new int[16];
  private int size;

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  int pop() {
    return values[--size];
  }

  int top() {
    return values[size - 1];
  }

  int at(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
