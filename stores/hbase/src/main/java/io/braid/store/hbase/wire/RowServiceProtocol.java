package io.braid.store.hbase.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.NameBytesPair;

/**
 * The service of the coprocessor as protobuf sees it: one method that takes bytes and gives bytes.
 * HBase wants a protobuf service; the bytes contain {@link Call} and {@link Reply}.
 */
public final class RowServiceProtocol {
  /** The service, as it is registered in a region. */
  public static final ServiceDescriptor SERVICE = service();

  public static final MethodDescriptor CALL = SERVICE.getMethods().get(0);

  private RowServiceProtocol() {}

  private static ServiceDescriptor service() {
    FileDescriptor types = HBaseProtos.getDescriptor();
    String message = "." + NameBytesPair.getDescriptor().getFullName();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("braid_rows.proto")
            .setPackage("braid")
            .addDependency(types.getName())
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName("Rows")
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName("Call")
                            .setInputType(message)
                            .setOutputType(message)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {types}).getServices().get(0);
    } catch (DescriptorValidationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public static <T> NameBytesPair message(Codec<T> codec, T said) {
    Bytes bytes = codec.encode(said);
    return NameBytesPair.newBuilder()
        .setName("")
        .setValue(ByteString.copyFrom(bytes.toBuffer()))
        .build();
  }

  public static <T> T said(Codec<T> codec, NameBytesPair message) {
    return codec.decode(Bytes.wrap(message.getValue().toByteArray()));
  }
}
