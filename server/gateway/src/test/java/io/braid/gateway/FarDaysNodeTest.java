package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.gateway.TestNode.Answer;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.testkit.runtime.Days;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a server answers on days to come it understands in the next request. Fault 85. */
class FarDaysNodeTest {
  private static final String ROWS = "/v1/tables/t/rows";

  @TempDir Path dir;

  private static void set(TestNode node, String row, String value) {
    Answer done =
        node.post(
            "/v1/transactions/run",
            "{'operations':[{'op':'set','table':'t','row':'"
                + row
                + "','columns':{'f:q':'"
                + value
                + "'}}]}");
    assertThat(done.status()).as(done.text()).isEqualTo(200);
  }

  private static String value(TestNode node, String at) {
    JsonNode row = node.get(ROWS + "/r?at=" + at).json();
    return row.at("/columns/f:q").asText(row.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {Days.NINETEEN_DIGITS, Days.LAST})
  void pagesMomentsAndNames(String day) throws Exception {
    try (RocksStore store = RocksStore.open(dir.resolve("data"), RocksOptions.defaults())) {
      Days.begin(store, day);
    }
    try (TestNode node = TestNode.start(dir)) {
      node.put("/v1/tables/t", "{'families':['f']}");
      set(node, "r", "1");
      set(node, "s", "1");
      JsonNode page = node.get(ROWS + "?limit=1").json();
      String then = page.path("at").asText();
      node.put("/v1/pins/then", "");
      set(node, "r", "2");

      assertThat(value(node, then)).isEqualTo("1");
      assertThat(value(node, "then")).isEqualTo("1");
      String next = ROWS + "?limit=1&after=" + page.path("next").asText() + "&at=" + then;
      assertThat(node.get(next).text()).contains("\"s\"");
      JsonNode facts = node.get(ROWS + "/r/explanation?versions=9").json().path("facts");
      assertThat(facts).isNotEmpty();
      for (JsonNode fact : facts) {
        if (fact.path("kind").asText().equals("version")) {
          String version = fact.path("version").asText();
          assertThat(version).hasSize(19);
          assertThat(value(node, fact.path("time").asText())).isEqualTo(value(node, version));
        }
      }
    }
  }
}
