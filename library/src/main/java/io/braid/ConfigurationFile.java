package io.braid;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A file of lines {@code key = value} in UTF-8; lines that begin with # are remarks. {@link
 * BraidConfig#load BraidConfig.load} is the usual way to read one; this class is for programs with
 * settings of their own.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ConfigurationFile {
  private ConfigurationFile() {}

  /**
   * A line that sets something.
   *
   * @param place the file and the number of the line, for people
   */
  public record Line(String place, String key, String value) {}

  /**
   * Reads a file.
   *
   * @throws ConfigurationException when it cannot be read, a line sets nothing, or a key comes
   *     twice; the text names the line
   */
  public static List<Line> read(Path file) {
    List<Line> settings = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      String place = file + ", line " + number;
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new ConfigurationException(
            place + ": '" + text + "' is no setting: write 'key = value'.");
      }
      String key = text.substring(0, equals).strip();
      if (!keys.add(key)) {
        throw new ConfigurationException(
            place + ": '" + key + "' was set before: keep one of the lines.");
      }
      settings.add(new Line(place, key, text.substring(equals + 1).strip()));
    }
    return settings;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException("There is no configuration file " + file + ".");
    } catch (CharacterCodingException e) {
      throw new ConfigurationException("Configuration file " + file + " is no text in UTF-8.");
    } catch (IOException e) {
      throw new ConfigurationException("Configuration file " + file + " cannot be read: " + e);
    }
  }
}
