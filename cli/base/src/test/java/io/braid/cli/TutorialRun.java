package io.braid.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does what tutorials say, in the folder that it was started in, and compares what comes out. A
 * block of {@code sh} is a list of commands: those that begin with {@code ./braid} are run in this
 * process, others by bash. The block of {@code text} behind it is what they print; dots stand for
 * what differs each time.
 */
final class TutorialRun {
  private static final Pattern BLOCK =
      Pattern.compile("```sh\\n(.*?)```(?:\\s*```text\\n(.*?)```)?", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final String HERE = " <<'END'";
  private static final String REFUSED = "   # refused";

  private final Path folder = Path.of("").toAbsolutePath();
  private final String port;

  private TutorialRun(String port) {
    this.port = port;
  }

  public static void main(String[] tutorials) throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      free.close();
      TutorialRun run = new TutorialRun(Integer.toString(free.getLocalPort()));
      for (String each : tutorials) {
        run.empty();
        run.tutorial(Path.of(each));
        System.out.println("As it says: " + Path.of(each).getFileName());
      }
      System.out.flush();
      Runtime.getRuntime().halt(0);
    } catch (Exception | AssertionError e) {
      System.out.println(e.getMessage());
      System.out.flush();
      Runtime.getRuntime().halt(1);
    }
  }

  private void empty() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(folder)) {
          Files.delete(each);
        }
      }
    }
  }

  private void tutorial(Path page) throws Exception {
    List<MatchResult> blocks = BLOCK.matcher(Files.readString(page)).results().toList();
    if (blocks.isEmpty()) {
      throw new AssertionError(page + " shows no commands.");
    }
    for (MatchResult block : blocks) {
      String printed = block(block.group(1));
      @Nullable String said = block.group(2);
      if (said != null && !fits(said, printed)) {
        throw new AssertionError(page + " says\n" + said + "\nbut this was printed:\n" + printed);
      }
    }
  }

  private static boolean fits(String said, String printed) {
    StringBuilder pattern = new StringBuilder();
    for (String line : said.strip().split("\n")) {
      String[] parts = line.split("\\.\\.\\.", -1);
      StringBuilder one = new StringBuilder(Pattern.quote(parts[0]));
      for (int i = 1; i < parts.length; i++) {
        one.append("[^\\n]*").append(Pattern.quote(parts[i]));
      }
      pattern.append(pattern.isEmpty() ? "" : "\\n").append(one);
    }
    return Pattern.matches(pattern + "\\n*", printed.strip());
  }

  private String block(String commands) throws Exception {
    StringBuilder printed = new StringBuilder();
    List<String> lines = new ArrayList<>(commands.lines().toList());
    while (!lines.isEmpty()) {
      String line = lines.remove(0);
      StringBuilder here = new StringBuilder();
      if (line.endsWith(HERE)) {
        for (String text = lines.remove(0); !text.equals("END"); text = lines.remove(0)) {
          here.append(text).append('\n');
        }
        line = line.substring(0, line.length() - HERE.length());
      }
      printed.append(line(line, here.toString()));
    }
    return printed.toString();
  }

  private String line(String line, String here) throws Exception {
    if (line.startsWith("cat > ")) {
      Files.writeString(Path.of(line.substring("cat > ".length())), here);
      return "";
    }
    if (line.equals("./braid server &")) {
      String listen = "server.listen=127.0.0.1:" + port;
      Thread server =
          new Thread(
              () ->
                  Main.commandLine()
                      .execute("server", "--set", listen, "--set", "server.grpc=off"));
      server.setDaemon(true);
      server.start();
      return "";
    }
    return line.startsWith("./braid ") ? braid(line, here) : bash(line.replace("7800", port));
  }

  private static String braid(String line, String here) {
    boolean refused = line.endsWith(REFUSED);
    List<String> words =
        WORD.matcher(refused ? line.substring(0, line.length() - REFUSED.length()) : line)
            .results()
            .map(TutorialRun::word)
            .toList();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    System.setIn(new ByteArrayInputStream(here.getBytes(StandardCharsets.UTF_8)));
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words.subList(1, words.size()).toArray(String[]::new));
    if ((code != 0) != refused) {
      throw new AssertionError(line + "\nended with " + code + ":\n" + out + err);
    }
    return refused ? err.toString() : out.toString();
  }

  private static String word(MatchResult word) {
    for (int quoted = 1; quoted <= 2; quoted++) {
      @Nullable String inner = word.group(quoted);
      if (inner != null) {
        return inner;
      }
    }
    return word.group();
  }

  private static String bash(String line) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(line + "\nended with " + process.exitValue() + ":\n" + printed);
    }
    return printed;
  }
}
