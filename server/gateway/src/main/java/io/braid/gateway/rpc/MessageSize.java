package io.braid.gateway.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.IOException;

/**
 * The memory that a message takes once it is read. A message within another one takes two bytes on
 * the wire, but several objects in memory.
 */
final class MessageSize {
  /** Messages of up to this many bytes are not counted. */
  static final int SHORT = 4 << 10;

  /** The bytes of a part of a message, as an object in the list of another one. */
  private static final int PART = 128;

  /** The number of parts that an unknown field counts for: each such field has lists of its own. */
  private static final int UNKNOWN = 4;

  private static final int DEEPEST = 100; // as protobuf reads them

  private MessageSize() {}

  /**
   * Bytes that a message takes.
   *
   * @param message as it came
   * @throws IOException when it is none of this method
   */
  static long of(MethodDescriptor<?, ?> method, byte[] message) throws IOException {
    long parts =
        method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier known
            ? parts(
                CodedInputStream.newInstance(message),
                known.getMethodDescriptor().getInputType(),
                DEEPEST)
            : 0;
    return 2L * message.length + parts * PART;
  }

  private static long parts(CodedInputStream in, Descriptor type, int depth) throws IOException {
    if (depth == 0) {
      throw new IOException("Messages stand too deep in one another.");
    }
    long parts = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      parts += field == null ? UNKNOWN : 1;
      boolean delimited = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      if (delimited && field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        int outer = in.pushLimit(in.readRawVarint32());
        parts += parts(in, field.getMessageType(), depth - 1);
        in.popLimit(outer);
      } else if (delimited && field != null && field.isPackable()) {
        int length = in.readRawVarint32();
        parts += length;
        in.skipRawBytes(length);
      } else {
        in.skipField(tag);
      }
    }
    return parts;
  }
}
