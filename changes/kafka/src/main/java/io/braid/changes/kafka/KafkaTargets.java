package io.braid.changes.kafka;

import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.SinkProvider;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Addresses of topics: {@code kafka://HOST:PORT[,HOST:PORT...]/TOPIC}, with {@code ?FILE} behind
 * them when the client needs more settings: a file of properties as its own tools take it.
 */
public final class KafkaTargets implements SinkProvider {
  private static final String SCHEME = "kafka";

  @Override
  public boolean knows(URI target) {
    return SCHEME.equalsIgnoreCase(target.getScheme());
  }

  @Override
  public FeedSink open(URI target, Path positions) throws IOException {
    String topic = topic(target);
    Properties settings = settings(target, positions);
    try {
      return new KafkaSink(new KafkaProducer<>(settings), topic, positions);
    } catch (KafkaException e) {
      throw new IOException(target + " cannot be reached: " + KafkaSink.why(e), e);
    }
  }

  /** The topic that an address names. */
  static String topic(URI target) {
    String path = target.getPath();
    String topic = path == null || path.isEmpty() ? "" : path.substring(1);
    if (target.getAuthority() == null || !topic.matches("[A-Za-z0-9._-]{1,249}")) {
      throw new IllegalArgumentException(
          "'" + target + "' names no topic: write kafka://HOST:PORT/TOPIC.");
    }
    return topic;
  }

  /** Returns the settings for the client. */
  static Properties settings(URI target, Path positions) throws IOException {
    Properties settings = ofFile(target);
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, target.getAuthority());
    // One process at a time: the next one shuts out the one before.
    settings.putIfAbsent(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        String.format(Locale.ROOT, "braid-%s-%s", topic(target), positions.getFileName()));
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    return settings;
  }

  private static Properties ofFile(URI target) throws IOException {
    Properties settings = new Properties();
    String file = target.getQuery();
    if (file != null) {
      try (Reader from = Files.newBufferedReader(Path.of(file))) {
        settings.load(from);
      }
    }
    return settings;
  }
}
