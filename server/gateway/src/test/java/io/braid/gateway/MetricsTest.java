package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.braid.ConfigurationException;
import io.braid.gateway.node.NodeConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that operators rely on, and where metrics and traces are sent. */
class MetricsTest {
  private static final Pattern NAME = Pattern.compile("`(braid_[a-z_]+)`");
  private static final Pattern ASKED = Pattern.compile("\\b((?:braid|jvm|process)_[a-z_]+)");

  @TempDir Path dir;

  /** What a node tells that has done a little, and refused something. */
  private String told() throws IOException {
    try (TestNode node = TestNode.start(dir, "server.requests-each", "3/s")) {
      String text = "";
      while (!text.contains("braid_gateway_limited_total")) {
        node.get("/v1/tables");
        TestNode.Answer answer = node.get("/metrics");
        text = answer.status() == 200 ? answer.text() : text;
      }
      return text;
    }
  }

  @Test
  void theDocumentationHasEveryMetricOfOursAndNoOther() throws IOException {
    Set<String> told =
        told()
            .lines()
            .filter(line -> line.startsWith("# TYPE braid_"))
            .map(line -> line.split(" ")[2])
            .filter(name -> !name.endsWith("_max"))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> written =
        NAME.matcher(Files.readString(Path.of("../../docs/metrics.md")))
            .results()
            .map(each -> each.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(written).isEqualTo(told);
  }

  @Test
  void theDashboardAsksForMetricsThatAreThere() throws IOException {
    Set<String> samples =
        told()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("[{ ]")[0])
            .collect(Collectors.toSet());
    JsonNode dashboard = new ObjectMapper().readTree(Path.of("../../deploy/grafana.json").toFile());
    List<JsonNode> asked = dashboard.findValues("expr");
    assertThat(asked).hasSizeGreaterThan(10);
    for (JsonNode each : asked) {
      String expression = each.asText();
      assertThat(ASKED.matcher(expression).results().map(name -> name.group(1)))
          .as(expression)
          .isNotEmpty()
          .isSubsetOf(samples);
    }
  }

  @Test
  void metricsAndTracesAreSentToACollector() throws IOException {
    Map<String, String> got = new ConcurrentHashMap<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
          got.merge(exchange.getRequestURI().getPath(), body, String::concat);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try {
      String url = "http://127.0.0.1:" + collector.getAddress().getPort();
      try (TestNode node = TestNode.start(dir, "server.otlp", url, "server.traces", "100 %")) {
        node.put("/v1/tables/accounts", "{'families':['balance']}");
        node.post(
            "/v1/transactions/run",
            "{'operations':[{'op':'set','table':'accounts','row':'secret-row',"
                + "'columns':{'balance:usd':'secret-value'}}]}");
        String trace = "0af7651916cd43dd8448eb211c80319c";
        node.ask(
            "POST",
            "/v1/groups",
            "{'name':'g','rows':[{'table':'accounts','row':'secret-row'}]}",
            "traceparent",
            "00-" + trace + "-b7ad6b7169203331-01");
        node.ask("GET", "/v1/tables", "", "traceparent", "00-nonsense");
        assertThat(node.get("/v1/status").json().at("/gateway/committed/count").asInt())
            .isEqualTo(1);
        assertThat(node.put("/v1/backups/monday", "").status()).isEqualTo(200);
      }
    } finally {
      collector.stop(0);
    }
    assertThat(got).containsOnlyKeys("/v1/metrics", "/v1/traces");
    assertThat(got.get("/v1/metrics")).contains("braid.gateway.transactions", "service.name");
    assertThat(got.get("/v1/traces"))
        .contains("percolator.one-phase-commit", "braid.outcome", "committed")
        .contains("group.create", inTrace("0af7651916cd43dd8448eb211c80319c"))
        .doesNotContain("secret");
  }

  private static String inTrace(String id) {
    return new String(HexFormat.of().parseHex(id), StandardCharsets.ISO_8859_1);
  }

  @Test
  void nothingIsSentUnlessAskedForAndAWrongWishIsRefused() {
    assertThat(NodeConfig.load(Optional.empty(), Map.of()).telemetry()).isEmpty();
    refused(Map.of("server.traces", "1 %"), "server.traces needs server.otlp");
    refused(Map.of("server.otlp", "collector:4318"), "http://127.0.0.1:4318");
    refused(Map.of("server.otlp", "http://a:1", "server.traces", "101 %"), "from 0 % to 100 %");
    refused(Map.of("server.otlp", "http://user:word@a:1"), "http://127.0.0.1:4318");
  }

  private static void refused(Map<String, String> set, String why) {
    assertThatThrownBy(() -> NodeConfig.load(Optional.empty(), set))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(why);
  }
}
