package io.braid.benchmarks.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.braid.rpc.v1.BeginRequest;
import io.braid.rpc.v1.ColumnKey;
import io.braid.rpc.v1.ColumnValue;
import io.braid.rpc.v1.CommitRequest;
import io.braid.rpc.v1.CreateJobRequest;
import io.braid.rpc.v1.ExpectOperation;
import io.braid.rpc.v1.FastWriteRequest;
import io.braid.rpc.v1.GetOperation;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.ReadLogRequest;
import io.braid.rpc.v1.ReadRequest;
import io.braid.rpc.v1.RowKey;
import io.braid.rpc.v1.RunInGroupRequest;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.ScanOperation;
import io.braid.rpc.v1.ScanRequest;
import io.braid.rpc.v1.SetOperation;
import io.braid.rpc.v1.TableName;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The bytes that well-behaved clients send. */
final class Seeds {
  private Seeds() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Returns a length of two bytes, and text. */
  static byte[] text(String text) {
    byte[] bytes = ascii(text);
    return ByteBuffer.allocate(2 + bytes.length).putShort((short) bytes.length).put(bytes).array();
  }

  /** Returns a length of four bytes, and the content of the buffer. */
  static byte[] framed(ByteBuffer content) {
    return ByteBuffer.allocate(4 + content.capacity())
        .putInt(content.capacity())
        .put(content.array())
        .array();
  }

  static List<byte[]> http() {
    List<byte[]> seeds = new ArrayList<>();
    for (String path :
        List.of(
            "/v1/tables",
            "/v1/tables/t/rows/r?column=f:q",
            "/v1/tables/t/rows?limit=3&after=r&prefix=%00",
            "/v1/requests/12345678",
            "/v1/groups",
            "/v1/jobs/j",
            "/v1/jobs/j/attempts?limit=3&after=0.1",
            "/v1/jobs/j/logs/detailed?round=0&attempt=1&after=attempt-1/detailed.jsonl@0",
            "/stores/people/keys/1",
            "/metrics",
            "/")) {
      seeds.add(ascii("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
    }
    for (String body :
        List.of(
            "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":\"v\"}}]}",
            "{\"operations\":[{\"op\":\"scan\",\"table\":\"t\",\"prefix\":\"r\",\"limit\":3}]}",
            "{\"operations\":[{\"op\":\"expect\",\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":null}}],\"request\":\"12345678\"}")) {
      seeds.add(
          ascii(
              "POST /v1/transactions/run HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                  + "Content-Type: application/json\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body));
    }
    seeds.add(
        ascii(
            "POST /v1/transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"));
    return seeds;
  }

  static List<byte[]> redis() {
    List<byte[]> seeds = new ArrayList<>();
    for (String command :
        List.of(
            "PING",
            "GET people:1",
            "MGET people:1 people:2",
            "SELECT 0",
            "HELLO 3",
            "INFO",
            "COMMAND",
            "SET a b",
            "CLIENT SETNAME x",
            "EXISTS people:1")) {
      String[] words = command.split(" ");
      StringBuilder array = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) {
        array.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      seeds.add(ascii(array.toString()));
    }
    seeds.add(ascii("PING\r\n"));
    seeds.add(ascii("*2\r\n$3\r\nGET\r\n$2147483647\r\n"));
    return seeds;
  }

  static List<byte[]> groupClient() {
    List<byte[]> seeds = new ArrayList<>();
    for (int kind = 1; kind <= 18; kind++) {
      ByteBuffer request = ByteBuffer.allocate(40);
      request.put((byte) kind).put((byte) 5).put(ascii("group"));
      request.put((byte) 2).put((byte) 1).put(ascii("t")).put((byte) 1).put(ascii("r"));
      seeds.add(framed(request));
      seeds.add(framed(ByteBuffer.allocate(1).put((byte) kind)));
    }
    return seeds;
  }

  static List<byte[]> manager() {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(ByteBuffer.allocate(5).put((byte) 1).putInt(3).array());
    seeds.add(new byte[] {2});
    ByteArrayOutputStream lock = new ByteArrayOutputStream();
    lock.write(3);
    lock.writeBytes(text("lock"));
    lock.writeBytes(text("fuzzer"));
    seeds.add(lock.toByteArray());
    byte[] unlock = lock.toByteArray();
    unlock[0] = 4;
    seeds.add(unlock);
    ByteBuffer commit = ByteBuffer.allocate(4 + 14 + 24);
    commit.putInt(1).putLong(1000).putShort((short) 1).putInt(2);
    commit.putLong(1).putLong(2).putLong(3);
    ByteArrayOutputStream commits = new ByteArrayOutputStream();
    commits.write(5);
    commits.writeBytes(framed(commit));
    seeds.add(commits.toByteArray());
    seeds.add(ByteBuffer.allocate(9).put((byte) 6).putLong(1).array());
    seeds.add(new byte[] {7, 1});
    return seeds;
  }

  /** Returns the beginning of an HTTP/2 connection: preface and empty settings. */
  static byte[] preface() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    bytes.writeBytes(http2(4, 0, 0, new byte[0]));
    return bytes.toByteArray();
  }

  private static byte[] http2(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Writes a header as HPACK does without any table. */
  private static void header(ByteArrayOutputStream to, String name, String value) {
    to.write(0);
    to.write(name.length());
    to.writeBytes(ascii(name));
    to.write(value.length());
    to.writeBytes(ascii(value));
  }

  private static byte[] headers(String method) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    header(block, ":method", "POST");
    header(block, ":scheme", "http");
    header(block, ":path", "/" + method);
    header(block, ":authority", "127.0.0.1:7801");
    header(block, "content-type", "application/grpc");
    header(block, "te", "trailers");
    return block.toByteArray();
  }

  /** Returns frames of HTTP/2: whole calls on a few streams, and the other kinds of frames. */
  static List<byte[]> http2() {
    List<byte[]> seeds = new ArrayList<>();
    int stream = 1;
    for (CallTarget.Call call : calls()) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(http2(1, 4, stream, headers(call.method())));
      ByteBuffer data =
          ByteBuffer.allocate(5 + call.message().length)
              .put((byte) 0)
              .putInt(call.message().length)
              .put(call.message());
      whole.writeBytes(http2(0, 1, stream, data.array()));
      seeds.add(whole.toByteArray());
      stream += 2;
    }
    seeds.add(http2(4, 1, 0, new byte[0]));
    seeds.add(http2(4, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).putInt(1).array()));
    seeds.add(http2(6, 0, 0, new byte[8]));
    seeds.add(http2(8, 0, 0, new byte[] {0, 0, 1, 0}));
    seeds.add(http2(3, 0, 1, new byte[] {0, 0, 0, 8}));
    seeds.add(http2(9, 4, 1, new byte[] {0}));
    seeds.add(http2(2, 0, 3, new byte[5]));
    seeds.add(http2(7, 0, 0, new byte[8]));
    return seeds;
  }

  private static RowKey row() {
    return RowKey.newBuilder().setTable("t").setKey(ByteString.copyFromUtf8("r")).build();
  }

  private static ColumnValue value() {
    return ColumnValue.newBuilder()
        .setFamily("f")
        .setQualifier(ByteString.copyFromUtf8("q"))
        .setValue(ByteString.copyFromUtf8("v"))
        .build();
  }

  private static ColumnKey column() {
    return ColumnKey.newBuilder().setFamily("f").setQualifier(ByteString.copyFromUtf8("q")).build();
  }

  private static List<Operation> operations() {
    return List.of(
        Operation.newBuilder()
            .setGet(GetOperation.newBuilder().setRow(row()).addColumns(column()))
            .build(),
        Operation.newBuilder()
            .setScan(ScanOperation.newBuilder().setTable("t").setLimit(3))
            .build(),
        Operation.newBuilder()
            .setExpect(ExpectOperation.newBuilder().setRow(row()).addColumns(value()))
            .build(),
        Operation.newBuilder()
            .setSet(SetOperation.newBuilder().setRow(row()).addColumns(value()))
            .build());
  }

  private static CallTarget.Call call(String method, MessageLite message) {
    return new CallTarget.Call("braid.v1." + method, message.toByteArray());
  }

  static List<CallTarget.Call> calls() {
    List<CallTarget.Call> calls = new ArrayList<>();
    for (Operation each : operations()) {
      calls.add(
          call(
              "Transactions/Run",
              RunRequest.newBuilder().addOperations(each).setRequest("12345678").build()));
    }
    calls.add(
        call("Transactions/Run", RunRequest.newBuilder().addAllOperations(operations()).build()));
    calls.add(call("Transactions/Begin", BeginRequest.newBuilder().setLeaseMillis(5).build()));
    calls.add(
        call(
            "Transactions/Commit",
            CommitRequest.newBuilder().setTransaction("x").addAllOperations(operations()).build()));
    calls.add(
        call(
            "Rows/Read",
            ReadRequest.newBuilder().addRows(row()).addColumns(column()).setAt("1").build()));
    calls.add(
        call(
            "Rows/Scan",
            ScanRequest.newBuilder().setScan(ScanOperation.newBuilder().setTable("t")).build()));
    calls.add(
        call(
            "Fast/FastWrite",
            FastWriteRequest.newBuilder().setRow(row()).addColumns(value()).build()));
    calls.add(
        call(
            "Groups/RunInGroup",
            RunInGroupRequest.newBuilder().setGroup("g").addAllOperations(operations()).build()));
    calls.add(
        call(
            "Stores/GetValues",
            GetValuesRequest.newBuilder()
                .setStore("s")
                .addKeys(ByteString.copyFromUtf8("k"))
                .build()));
    calls.add(
        call("Jobs/CreateJob", CreateJobRequest.newBuilder().setJob("j").setTable("t").build()));
    calls.add(
        call("Jobs/ReadLog", ReadLogRequest.newBuilder().setJob("j").setLog("unread").build()));
    calls.add(call("Admin/GetTable", TableName.newBuilder().setTable("t").build()));
    calls.add(call("None/None", BeginRequest.getDefaultInstance()));
    return calls;
  }
}
