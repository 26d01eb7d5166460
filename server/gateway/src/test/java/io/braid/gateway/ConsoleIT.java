package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, where a Chromium is installed. */
@Timeout(300)
class ConsoleIT {
  @TempDir Path dir;

  @Test
  void everySectionIsDrawnWithoutAnErrorLightAndDark() throws Exception {
    try (TestNode node = TestNode.start(dir);
        Browser browser = Browser.start(dir)) {
      node.put("/v1/tables/accounts", "{'families':['f']}");
      node.post(
          "/v1/transactions/run",
          "{'operations':[{'op':'set','table':'accounts','row':'r','columns':{'f:q':'seen'}}]}");
      browser.open(node.uri("/"));
      browser.await("document.getElementById('tiles').childElementCount > 0");
      browser.await(
          "document.getElementById('manager').innerText"
              + " === 'This process is the leader. There is no standby. '.trim()");
      String light = browser.evaluate("getComputedStyle(document.body).backgroundColor").asText();
      for (String section :
          new String[] {"overview", "tables", "observers", "groups", "jobs", "stores", "row"}) {
        browser.evaluate("location.hash = '" + section + "'");
        browser.await("!document.getElementById('" + section + "').hidden");
        browser.keep(section);
      }
      browser.evaluate("location.hash = 'tables'");
      browser.await("document.getElementById('table-list').innerText.includes('accounts')");
      browser.prefer("dark");
      browser.await("getComputedStyle(document.body).backgroundColor !== " + "'" + light + "'");
      browser.keep("dark");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void aVersionIsSwappedInAndRolledBackByItsButtons() throws Exception {
    try (TestNode node = TestNode.start(dir);
        Browser browser = Browser.start(dir)) {
      ConsoleTest.fetch(node, dir, 1);
      node.post("/stores/people/swap", "{'version':1}");
      ConsoleTest.fetch(node, dir, 2);
      browser.open(node.uri("/#stores"));
      browser.click("Swap in");
      browser.await("/2\\s+live/.test(document.getElementById('store-list').innerText)");
      assertThat(node.get("/stores/people/versions").json().path("live").asLong()).isEqualTo(2);
      browser.click("Roll back");
      browser.await("/1\\s+live/.test(document.getElementById('store-list').innerText)");
      assertThat(node.get("/stores/people/versions").json().path("live").asLong()).isEqualTo(1);
      browser.keep("stores-with-versions");
      assertThat(browser.errors()).isEmpty();
    }
  }
}
