package io.braid.serving.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import org.apiguardian.api.API;

/**
 * Values as messages of Protobuf. Fields that a program does not know it hands on; a message that
 * changes in the ways Protobuf allows needs no new schema number. The class path must have {@code
 * com.google.protobuf:protobuf-java}.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ProtobufCodec {
  private ProtobufCodec() {}

  /**
   * The codec of a message.
   *
   * @param example any message of the type, such as {@code Score.getDefaultInstance()}, or of a
   *     {@code DynamicMessage} that of its descriptor
   */
  @SuppressWarnings("unchecked") // A message's parser makes messages of its type.
  public static <T extends MessageLite> Codec<T> of(T example) {
    Parser<T> parser = (Parser<T>) example.getParserForType();
    String name = example.getClass().getSimpleName();
    return Codecs.of(
        message -> Bytes.wrap(message.toByteArray()), bytes -> decode(name, parser, bytes));
  }

  private static <T> T decode(String name, Parser<T> parser, Bytes bytes) {
    try {
      return parser.parseFrom(bytes.toBuffer());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("The value is no " + name + " in Protobuf.", e);
    }
  }
}
