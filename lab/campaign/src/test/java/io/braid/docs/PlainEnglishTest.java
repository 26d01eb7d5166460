package io.braid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Counts phrases that a reader has to decode: sentences whose subject is a clause with who or what,
 * and words such as "nobody" or "anew". The bounds are what there is today. They go down, never up.
 */
class PlainEnglishTest {
  private static final int MOST_IN_PAGES = 27;
  private static final int MOST_IN_COMMENTS = 3;
  private static final int MOST_WORDS = 52_700;

  private static final Pattern RIDDLE =
      Pattern.compile(
          "(?:^|(?<=[.!?:;|] ))(?:Who|What|Whoever|Whatever)\\b(?![^.?!]*\\?)"
              + "|\\b(?:is told|are told|stands|nobody|somebody|as the other|anew|of late)\\b",
          Pattern.MULTILINE);
  private static final Pattern COMMENT = Pattern.compile("/\\*\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

  private static String pages() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path page : SourceFiles.endingWith(".md")) {
      String name = SourceFiles.ROOT.relativize(page).toString();
      if (!name.startsWith("docs/decisions") && !name.startsWith("docs/results")) {
        String text = Files.readString(page).replaceAll("(?s)```.*?```", "");
        all.append(text.replaceAll("`[^`]*`", "")).append("\n\n");
      }
    }
    return all.toString();
  }

  private static int riddles(String text) {
    return (int) RIDDLE.matcher(text).results().count();
  }

  @Test
  void pagesDoNotGetHarderToRead() throws IOException {
    String pages = pages();
    assertThat(riddles(pages)).isLessThanOrEqualTo(MOST_IN_PAGES);
    assertThat(pages.split("\\s+").length).isLessThanOrEqualTo(MOST_WORDS);
  }

  @Test
  void commentsDoNotGetHarderToRead() throws IOException {
    int found = 0;
    for (Path file : SourceFiles.endingWith(".java")) {
      if (file.toString().contains("/src/main/")) {
        Matcher comment = COMMENT.matcher(Files.readString(file));
        found +=
            riddles(
                comment
                    .results()
                    .map(each -> each.group().replaceAll("\\s*\n\\s*\\*?\\s*", " "))
                    .map(each -> each.replaceFirst("^/\\*\\* ?", ""))
                    .collect(Collectors.joining("\n")));
      }
    }
    assertThat(found).isLessThanOrEqualTo(MOST_IN_COMMENTS);
  }

  @Test
  void aRiddleIsFound() {
    assertThat(riddles("Who commits in one phase does not ask it.")).isOne();
    assertThat(riddles("It is there. What was said stands, anew.")).isEqualTo(3);
    assertThat(riddles("What is Braid? A one-phase commit asks nothing.")).isZero();
  }
}
