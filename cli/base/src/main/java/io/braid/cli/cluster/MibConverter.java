package io.braid.cli.cluster;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts MiB a second. Without a limit, the option is left out. */
public final class MibConverter implements ITypeConverter<Long> {
  private static final long MOST = 1L << 30;

  @Override
  public Long convert(String text) {
    try {
      long mib = Long.parseLong(text);
      if (mib >= 1 && mib <= MOST) {
        return mib;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new TypeConversionException(
        "'"
            + text
            + "' is no rate: write whole MiB a second, 1 or more, or leave it out for no limit");
  }
}
