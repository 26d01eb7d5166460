package io.braid.lab;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seeds that follow each other: {@code FIRST+COUNT}. */
record SeedRange(long first, long count) {
  /** Reads what was typed. */
  static final class Converter implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      int plus = text.indexOf('+');
      try {
        long first = Long.parseLong(text.substring(0, Math.max(0, plus)));
        long count = Long.parseLong(text.substring(plus + 1));
        if (count > 0) {
          return new SeedRange(first, count);
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw new TypeConversionException(
          "'" + text + "' names no seeds: write FIRST+COUNT, such as 1000+500.");
    }
  }
}
