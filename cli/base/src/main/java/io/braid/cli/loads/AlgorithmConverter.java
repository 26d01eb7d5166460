package io.braid.cli.loads;

import io.braid.batch.snapshot.Algorithm;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of an algorithm of loads. */
final class AlgorithmConverter implements ITypeConverter<Algorithm> {
  @Override
  public Algorithm convert(String text) {
    try {
      return Algorithm.of(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
