package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.store.Outcome;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HostilityTest {
  private enum Answer {
    DONE,
    NOT_EXECUTED,
    UNKNOWN
  }

  /** Words that were added, as far as the caller can tell. */
  private static final class Known {
    final Set<String> added = new TreeSet<>();
    final Set<String> maybe = new TreeSet<>();
    final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
  }

  @Test
  void whatIsAnsweredIsTrueWhateverHappens() {
    Map<Answer, Integer> total = new EnumMap<>(Answer.class);
    Seeds.check(
        20,
        random -> {
          Notebook notebook = new Notebook();
          Hostility store = Hostility.around(notebook.memory, random, 8, 10);
          Known known = new Known();
          for (int call = 0; call < 60; call++) {
            List<String> words = new ArrayList<>();
            for (int item = random.nextInt(4); item >= 0; item--) {
              words.add(row(random.nextInt(5)) + "=" + call + "." + item);
            }
            List<Outcome<String>> outcomes = Notebook.add(store, words);
            for (int i = 0; i < words.size(); i++) {
              note(known, words.get(i), outcomes.get(i));
            }
          }
          store.deliverAll();

          Set<String> found = new TreeSet<>();
          for (int i = 0; i < 5; i++) {
            String key = row(i);
            List<String> words = List.of(notebook.words(key).split(" "));
            assertThat(words).as("each word once").doesNotHaveDuplicates();
            words.stream().filter(word -> !word.isEmpty()).forEach(w -> found.add(key + "=" + w));
          }
          assertThat(found).containsAll(known.added);
          found.removeAll(known.added);
          assertThat(known.maybe).as("what was not refused").containsAll(found);
          known.answers.forEach((answer, count) -> total.merge(answer, count, Integer::sum));
        });

    assertThat(total).as("all kinds of answers came").containsOnlyKeys(Answer.values());
  }

  @Test
  void sameSeedBringsTheSameTrouble() {
    assertThat(outcomes(3)).isEqualTo(outcomes(3)).isNotEqualTo(outcomes(4));
  }

  private static List<Outcome<String>> outcomes(long seed) {
    Hostility store = Hostility.around(new Notebook().memory, Seeds.random(seed), 4, 10);
    List<Outcome<String>> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.addAll(Notebook.add(store, List.of("a=" + i, "b=" + i)));
    }
    return outcomes;
  }

  private static String row(int number) {
    return "r" + number;
  }

  private static void note(Known known, String word, Outcome<String> outcome) {
    Answer answer = Answer.UNKNOWN;
    if (outcome instanceof Outcome.Done) {
      answer = Answer.DONE;
      known.added.add(word);
    } else if (outcome instanceof Outcome.NotExecuted) {
      answer = Answer.NOT_EXECUTED;
    } else {
      known.maybe.add(word);
    }
    known.answers.merge(answer, 1, Integer::sum);
  }
}
