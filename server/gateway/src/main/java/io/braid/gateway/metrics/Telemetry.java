package io.braid.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends metrics and traces of a node elsewhere, by OTLP over HTTP. If the target does not accept
 * them, they are dropped with a warning. Nothing waits for them.
 */
public final class Telemetry implements AutoCloseable {
  private static final Map<String, String> NAMES = Map.of("service.name", "braid");

  private final Optional<Target> target;
  private final OpenTelemetry traces;

  /**
   * Where to, and how much.
   *
   * @param url of a collector, without the path of a signal
   * @param interval between two reports of metrics
   * @param traces the share of transactions that are traced, from 0 to 1
   */
  public record Target(URI url, Duration interval, double traces) {
    String of(String signal) {
      String base = url.toString();
      return (base.endsWith("/") ? base : base + "/") + "v1/" + signal;
    }
  }

  private Telemetry(Optional<Target> target, OpenTelemetry traces) {
    this.target = target;
    this.traces = traces;
  }

  /** Sends nothing. */
  public static Telemetry off() {
    return new Telemetry(Optional.empty(), OpenTelemetry.noop());
  }

  public static Telemetry to(Target target) {
    return new Telemetry(
        Optional.of(target), target.traces() > 0 ? traces(target) : OpenTelemetry.noop());
  }

  private static OpenTelemetry traces(Target target) {
    Attributes names =
        NAMES.entrySet().stream()
            .collect(
                Attributes::builder,
                (all, each) -> all.put(AttributeKey.stringKey(each.getKey()), each.getValue()),
                (all, more) -> all.putAll(more.build()))
            .build();
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(names)))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(target.traces())))
                .addSpanProcessor(
                    BatchSpanProcessor.builder(
                            OtlpHttpSpanExporter.builder().setEndpoint(target.of("traces")).build())
                        .build())
                .build())
        .build();
  }

  /** Returns the receiver of traces. */
  public OpenTelemetry traces() {
    return traces;
  }

  /** Returns the receiver of metrics, if they are sent. The caller closes it. */
  Optional<MeterRegistry> metrics() {
    return target.map(to -> new OtlpMeterRegistry(new Reports(to), Clock.SYSTEM));
  }

  private record Reports(Target target) implements OtlpConfig {
    @Override
    public String url() {
      return target.of("metrics");
    }

    @Override
    public Duration step() {
      return target.interval();
    }

    @Override
    public Map<String, String> resourceAttributes() {
      return NAMES;
    }

    @Override
    public @Nullable String get(String key) {
      return null;
    }
  }

  /** Sends what has not been sent. */
  @Override
  public void close() {
    if (traces instanceof OpenTelemetrySdk sdk) {
      sdk.close();
    }
  }
}
