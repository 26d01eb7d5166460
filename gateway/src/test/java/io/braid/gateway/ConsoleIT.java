package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a real browser, where a Chromium is installed. The pictures that it takes stay in
 * {@code target/console}, for people to look at.
 */
@Timeout(300)
class ConsoleIT {
  private static final Path PICTURES = Path.of("target", "console");

  @TempDir Path dir;

  private Browser browser() throws Exception {
    Optional<Path> binary = Browser.find();
    assumeTrue(binary.isPresent(), "No Chromium is installed.");
    return new Browser(binary.get(), dir.resolve("profile"));
  }

  private static void keep(Browser browser, String name) throws Exception {
    Files.createDirectories(PICTURES);
    Files.write(PICTURES.resolve(name + ".png"), browser.picture());
  }

  @Test
  void everySectionIsDrawnWithoutAnErrorLightAndDark() throws Exception {
    try (TestNode node = TestNode.start(dir);
        Browser browser = browser()) {
      node.put("/v1/tables/accounts", "{'families':['f']}");
      node.post(
          "/v1/transactions/run",
          "{'operations':[{'op':'set','table':'accounts','row':'r','columns':{'f:q':'seen'}}]}");
      browser.open(node.uri("/"));
      browser.await("document.getElementById('tiles').childElementCount > 0");
      browser.await(
          "document.getElementById('manager').innerText"
              + " === 'This process is in office. Nobody stands by. '.trim()");
      String light = browser.evaluate("getComputedStyle(document.body).backgroundColor").asText();
      for (String section :
          new String[] {"overview", "tables", "observers", "groups", "jobs", "stores", "row"}) {
        browser.evaluate("location.hash = '" + section + "'");
        browser.await("!document.getElementById('" + section + "').hidden");
        keep(browser, section);
      }
      browser.evaluate("location.hash = 'tables'");
      browser.await("document.getElementById('table-list').innerText.includes('accounts')");
      browser.prefer("dark");
      browser.await("getComputedStyle(document.body).backgroundColor !== " + "'" + light + "'");
      keep(browser, "dark");
      assertThat(browser.errors()).isEmpty();
    }
  }

  /** Clicks on a button that is drawn, and answers the question whether that is meant. */
  private static void click(Browser browser, String label) throws Exception {
    String button =
        "[...document.querySelectorAll('main button')].find(b => b.innerText === '" + label + "')";
    browser.await(button);
    browser.evaluate(button + ".click()");
    browser.await("document.getElementById('ask').open");
    browser.evaluate("document.querySelector('#ask button[value=yes]').click()");
  }

  @Test
  void aVersionIsSwappedInAndRolledBackByItsButtons() throws Exception {
    try (TestNode node = TestNode.start(dir);
        Browser browser = browser()) {
      ConsoleTest.fetch(node, dir, 1);
      node.post("/stores/people/swap", "{'version':1}");
      ConsoleTest.fetch(node, dir, 2);
      browser.open(node.uri("/#stores"));
      click(browser, "Swap in");
      browser.await("/2\\s+live/.test(document.getElementById('store-list').innerText)");
      assertThat(node.get("/stores/people/versions").json().path("live").asLong()).isEqualTo(2);
      click(browser, "Roll back");
      browser.await("/1\\s+live/.test(document.getElementById('store-list').innerText)");
      assertThat(node.get("/stores/people/versions").json().path("live").asLong()).isEqualTo(1);
      keep(browser, "stores-with-versions");
      assertThat(browser.errors()).isEmpty();
    }
  }
}
