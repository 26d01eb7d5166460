package io.braid.cli.command;

import io.braid.batch.input.FilePlaces;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file on this machine, or the address of one elsewhere. */
public final class PlaceConverter implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    try {
      return FilePlaces.path(text);
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
