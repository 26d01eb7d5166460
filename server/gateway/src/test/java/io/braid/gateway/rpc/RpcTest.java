package io.braid.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import io.braid.core.data.Bytes;
import io.braid.gateway.TestNode;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.BackupName;
import io.braid.rpc.v1.BeginRequest;
import io.braid.rpc.v1.BeginResponse;
import io.braid.rpc.v1.CollectRequest;
import io.braid.rpc.v1.Collection;
import io.braid.rpc.v1.ColumnKey;
import io.braid.rpc.v1.ColumnValue;
import io.braid.rpc.v1.CommitRequest;
import io.braid.rpc.v1.Conflicts;
import io.braid.rpc.v1.CreateGroupRequest;
import io.braid.rpc.v1.CreateJobRequest;
import io.braid.rpc.v1.EnsureTableRequest;
import io.braid.rpc.v1.ExpectOperation;
import io.braid.rpc.v1.FastGrpc;
import io.braid.rpc.v1.FastReadRequest;
import io.braid.rpc.v1.FastWriteRequest;
import io.braid.rpc.v1.FetchVersionRequest;
import io.braid.rpc.v1.GetOperation;
import io.braid.rpc.v1.GetStatusRequest;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.GetValuesResponse;
import io.braid.rpc.v1.Group;
import io.braid.rpc.v1.GroupMember;
import io.braid.rpc.v1.GroupName;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.Job;
import io.braid.rpc.v1.JobName;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.rpc.v1.ListAttemptsRequest;
import io.braid.rpc.v1.ListAttemptsResponse;
import io.braid.rpc.v1.ListBackupsRequest;
import io.braid.rpc.v1.ListGroupsResponse;
import io.braid.rpc.v1.ListJobsResponse;
import io.braid.rpc.v1.ListObserversResponse;
import io.braid.rpc.v1.ListPinsResponse;
import io.braid.rpc.v1.ListStoresRequest;
import io.braid.rpc.v1.ListTablesRequest;
import io.braid.rpc.v1.ListTablesResponse;
import io.braid.rpc.v1.NodeStatus;
import io.braid.rpc.v1.OperateRequest;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.PinName;
import io.braid.rpc.v1.ReadLogRequest;
import io.braid.rpc.v1.ReadLogResponse;
import io.braid.rpc.v1.ReadRequest;
import io.braid.rpc.v1.ReadResponse;
import io.braid.rpc.v1.RequestName;
import io.braid.rpc.v1.RequestState;
import io.braid.rpc.v1.RollBackVersionRequest;
import io.braid.rpc.v1.RowExplanation;
import io.braid.rpc.v1.RowKey;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.RunInGroupRequest;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.RunResponse;
import io.braid.rpc.v1.ScanOperation;
import io.braid.rpc.v1.SetOperation;
import io.braid.rpc.v1.StoreName;
import io.braid.rpc.v1.StoreVersion;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.SwapVersionRequest;
import io.braid.rpc.v1.TableName;
import io.braid.rpc.v1.TakeSnapshotRequest;
import io.braid.rpc.v1.TransactionsGrpc;
import io.braid.rpc.v1.WriteName;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The services of {@code braid.v1}, as a client of any language sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RpcTest {
  @TempDir static Path dir;
  private TestNode node;
  private ManagedChannel channel;
  private TransactionsGrpc.TransactionsBlockingStub transactions;
  private RowsGrpc.RowsBlockingStub rows;
  private AdminGrpc.AdminBlockingStub admin;

  @BeforeAll
  void start() throws Exception {
    Files.createDirectories(dir.resolve("inputs"));
    node =
        TestNode.start(
            dir,
            "server.inputs",
            dir.resolve("inputs").toString(),
            "server.jobs",
            dir.resolve("jobs").toString());
    channel = channel(node);
    transactions = TransactionsGrpc.newBlockingStub(channel);
    rows = RowsGrpc.newBlockingStub(channel);
    admin = AdminGrpc.newBlockingStub(channel);
  }

  @BeforeEach
  void table() {
    if (admin.listTables(ListTablesRequest.getDefaultInstance()).getTablesCount() > 0) {
      admin.dropTable(TableName.newBuilder().setTable("accounts").build());
    }
    admin.ensureTable(
        EnsureTableRequest.newBuilder().setTable("accounts").addFamilies("balance").build());
  }

  @AfterAll
  void end() {
    channel.shutdownNow();
    node.close();
  }

  static ManagedChannel channel(TestNode node) {
    return NettyChannelBuilder.forAddress(node.node().grpc().orElseThrow()).usePlaintext().build();
  }

  static RowKey row(String key) {
    return RowKey.newBuilder().setTable("accounts").setKey(ByteString.copyFromUtf8(key)).build();
  }

  private static ColumnKey usd() {
    return ColumnKey.newBuilder()
        .setFamily("balance")
        .setQualifier(ByteString.copyFromUtf8("usd"))
        .build();
  }

  private static ColumnValue usd(String value) {
    return ColumnValue.newBuilder()
        .setFamily("balance")
        .setQualifier(ByteString.copyFromUtf8("usd"))
        .setValue(ByteString.copyFromUtf8(value))
        .build();
  }

  static Operation set(String key, String value) {
    return Operation.newBuilder()
        .setSet(SetOperation.newBuilder().setRow(row(key)).addColumns(usd(value)))
        .build();
  }

  private static Operation get(String key) {
    return Operation.newBuilder().setGet(GetOperation.newBuilder().setRow(row(key))).build();
  }

  private static Operation expect(String key, String value) {
    return Operation.newBuilder()
        .setExpect(ExpectOperation.newBuilder().setRow(row(key)).addColumns(usd(value)))
        .build();
  }

  /** With something that only a newer server knows. */
  private static Message newer(Message.Builder message) {
    UnknownFieldSet.Field one = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    return message.setUnknownFields(UnknownFieldSet.newBuilder().addField(99, one).build()).build();
  }

  private RunResponse run(Operation... operations) {
    return transactions.run(RunRequest.newBuilder().addAllOperations(List.of(operations)).build());
  }

  private static StatusRuntimeException refused(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run);
  }

  static ErrorInfo info(StatusRuntimeException refused) throws InvalidProtocolBufferException {
    for (Any detail : StatusProto.fromThrowable(refused).getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        return detail.unpack(ErrorInfo.class);
      }
    }
    throw new AssertionError("No reason is told: " + refused);
  }

  private static void assertRefused(Runnable call, Status.Code code, String reason)
      throws InvalidProtocolBufferException {
    StatusRuntimeException refused = refused(call);
    assertThat(refused).as(reason).isNotNull();
    assertThat(refused.getStatus().getCode()).as(refused.toString()).isEqualTo(code);
    assertThat(info(refused).getReason()).isEqualTo(reason);
    assertThat(info(refused).getDomain()).isEqualTo("braid");
  }

  @Test
  void aScriptIsDoneOnceUnderItsName() {
    RunRequest named =
        RunRequest.newBuilder()
            .addOperations(set("bob", "7"))
            .addOperations(get("bob"))
            .setRequest("transfer-0001")
            .build();
    RunResponse first = transactions.run(named);
    assertThat(first.getResults(1).getColumns(0)).isEqualTo(usd("7"));
    run(set("bob", "8"));
    RunResponse again = transactions.run(named);
    assertThat(again.getDoneBefore()).isTrue();
    assertThat(again.getCommit()).isEqualTo(first.getCommit());
    assertThat(again.getResultsList()).isEqualTo(first.getResultsList());
    assertThat(run(get("bob")).getResults(0).getColumns(0)).isEqualTo(usd("8"));
    RequestName name = RequestName.newBuilder().setRequest("transfer-0001").build();
    assertThat(transactions.getRequest(name).getState()).isEqualTo(RequestState.State.COMMITTED);
    RequestName never = RequestName.newBuilder().setRequest("transfer-0002").build();
    assertThat(transactions.settleRequest(never).getState()).isEqualTo(RequestState.State.NEVER);
    assertThat(node.get("/v1/requests/transfer-0001").json().path("commit").asText())
        .isEqualTo(Long.toString(first.getCommit()));
  }

  @Test
  void openTransactionsConflictWithTheCellsNamed() throws Exception {
    BeginResponse begun = transactions.begin(BeginRequest.getDefaultInstance());
    OperateRequest reads =
        OperateRequest.newBuilder()
            .setTransaction(begun.getTransaction())
            .addOperations(get("bob"))
            .build();
    assertThat(transactions.operate(reads).getResults(0).getColumnsCount()).isZero();
    run(set("bob", "1"));
    CommitRequest commit =
        CommitRequest.newBuilder()
            .setTransaction(begun.getTransaction())
            .addOperations(set("bob", "2"))
            .build();
    StatusRuntimeException conflict = refused(() -> transactions.commit(commit));
    assertThat(conflict.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(info(conflict).getReason()).isEqualTo("CONFLICT");
    Conflicts cells = Conflicts.getDefaultInstance();
    for (Any detail : StatusProto.fromThrowable(conflict).getDetailsList()) {
      cells = detail.is(Conflicts.class) ? detail.unpack(Conflicts.class) : cells;
    }
    assertThat(cells.getConflicts(0).getRow()).isEqualTo("bob");
    assertThat(cells.getConflicts(0).getColumn()).isEqualTo("balance:usd");
    assertRefused(() -> transactions.commit(commit), Status.Code.NOT_FOUND, "NO_SUCH_TRANSACTION");
  }

  @Test
  void refusalsTellWhatToDo() throws Exception {
    run(set("bob", "1"));
    assertRefused(
        () -> run(expect("bob", "2"), set("bob", "3")),
        Status.Code.FAILED_PRECONDITION,
        "CONDITION_FAILED");
    assertRefused(() -> run(), Status.Code.INVALID_ARGUMENT, "BAD_REQUEST");
    assertRefused(
        () -> run(Operation.getDefaultInstance()), Status.Code.INVALID_ARGUMENT, "BAD_REQUEST");
    for (Message newer :
        List.of(
            newer(RunRequest.newBuilder().addOperations(get("bob"))),
            RunRequest.newBuilder()
                .addOperations((Operation) newer(get("bob").toBuilder()))
                .build(),
            RunRequest.newBuilder()
                .addOperations(
                    Operation.newBuilder()
                        .setGet(
                            GetOperation.newBuilder()
                                .setRow((RowKey) newer(row("bob").toBuilder()))))
                .build())) {
      assertRefused(
          () -> transactions.run((RunRequest) newer), Status.Code.INVALID_ARGUMENT, "BAD_REQUEST");
    }
    assertRefused(
        () -> admin.getTable((TableName) newer(TableName.newBuilder().setTable("accounts"))),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    assertRefused(
        () -> admin.getTable(TableName.newBuilder().setTable("none").build()),
        Status.Code.NOT_FOUND,
        "NO_SUCH_TABLE");
    assertRefused(
        () -> admin.getTable(TableName.getDefaultInstance()),
        Status.Code.INVALID_ARGUMENT,
        "BAD_REQUEST");
    assertRefused(
        () ->
            StoresGrpc.newBlockingStub(channel)
                .listVersions(StoreName.newBuilder().setStore("people").build()),
        Status.Code.NOT_FOUND,
        "NO_SUCH_STORE");
    assertThat(Refusals.reason("outcome unknown")).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(
            Refusals.status(new io.braid.http.HttpRefusal(504, "outcome unknown", "x"))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void rowsAreReadAsTheyWereAtOneMoment() {
    run(set("bob", "1"), set("joe", "2"));
    long at = rows.takeSnapshot(TakeSnapshotRequest.getDefaultInstance()).getAt();
    run(set("bob", "5"));
    ReadRequest both =
        ReadRequest.newBuilder()
            .addRows(row("joe"))
            .addRows(row("nobody"))
            .addRows(row("bob"))
            .setAt(Long.toString(at))
            .build();
    ReadResponse read = rows.read(both);
    assertThat(read.getAt()).isEqualTo(at);
    assertThat(read.getRows(0).getColumns(0)).isEqualTo(usd("2"));
    assertThat(read.getRows(1).getColumnsCount()).isZero();
    assertThat(read.getRows(2).getColumns(0)).isEqualTo(usd("1"));
    assertThat(rows.read(both.toBuilder().clearAt().addColumns(usd()).build()).getRows(2))
        .satisfies(now -> assertThat(now.getColumns(0)).isEqualTo(usd("5")));
  }

  @Test
  void theFastPathWritesOnceUnderAName() throws Exception {
    FastGrpc.FastBlockingStub fast = FastGrpc.newBlockingStub(channel);
    WriteName name = fast.nameWrite(io.braid.rpc.v1.NameWriteRequest.getDefaultInstance());
    FastWriteRequest write =
        FastWriteRequest.newBuilder().setRow(row("bob")).addColumns(usd("1")).setName(name).build();
    long version = fast.fastWrite(write).getVersion();
    FastWriteRequest newer =
        FastWriteRequest.newBuilder()
            .setRow(row("bob"))
            .addColumns(usd("2"))
            .setIfVersion(version)
            .build();
    assertThat(fast.fastWrite(newer).getVersion()).isGreaterThan(version);
    assertThat(fast.fastWrite(write).getVersion()).isEqualTo(version);
    FastReadRequest read =
        FastReadRequest.newBuilder().setRow(row("bob")).addColumns(usd()).build();
    assertThat(fast.fastRead(read).getColumns(0)).isEqualTo(usd("2"));
    assertRefused(() -> fast.fastWrite(newer), Status.Code.ABORTED, "CONFLICT");
    FastWriteRequest toCome =
        newer.toBuilder().clearIfVersion().setAfter(Long.MAX_VALUE - 807).build();
    assertRefused(() -> fast.fastWrite(toCome), Status.Code.INVALID_ARGUMENT, "BAD_REQUEST");
  }

  @Test
  void groupsOwnTheirRows() throws Exception {
    GroupsGrpc.GroupsBlockingStub groups = GroupsGrpc.newBlockingStub(channel);
    Group created =
        groups.createGroup(
            CreateGroupRequest.newBuilder()
                .setName("table-7")
                .addRows(GroupMember.newBuilder().setTable("accounts").setRow("bob"))
                .addRows(GroupMember.newBuilder().setTable("accounts").setRow("joe"))
                .build());
    assertThat(created.getMembers()).isEqualTo(2);
    RunInGroupRequest run =
        RunInGroupRequest.newBuilder()
            .setGroup("table-7")
            .addOperations(set("bob", "1"))
            .addOperations(
                Operation.newBuilder()
                    .setGet(GetOperation.newBuilder().setRow(row("bob")).addColumns(usd())))
            .build();
    assertThat(groups.runInGroup(run).getResults(1).getColumns(0)).isEqualTo(usd("1"));
    assertRefused(() -> run(set("joe", "5")), Status.Code.FAILED_PRECONDITION, "HELD_BY_GROUP");
    GroupName name = GroupName.newBuilder().setGroup("table-7").build();
    strict("/v1/groups", ListGroupsResponse.getDefaultInstance());
    strict("/v1/groups/table-7", Group.getDefaultInstance());
    groups.shipGroup(name);
    assertThat(groups.deleteGroup(name).getDeleted()).isTrue();
    assertThat(run(get("bob")).getResults(0).getColumns(0)).isEqualTo(usd("1"));
    assertRefused(() -> groups.getGroup(name), Status.Code.NOT_FOUND, "NO_SUCH_GROUP");
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  @Test
  void loadsRunInTheNode() throws Exception {
    Files.writeString(dir.resolve("inputs/people.csv"), "id,n\na,1\nb,many\n");
    Struct column =
        Struct.newBuilder()
            .putFields("column", text("balance:n"))
            .putFields("type", text("int64"))
            .build();
    Struct columns =
        Struct.newBuilder()
            .putFields("n", Value.newBuilder().setStructValue(column).build())
            .build();
    CreateJobRequest create =
        CreateJobRequest.newBuilder()
            .setJob("nightly")
            .setTable("accounts")
            .addFiles("people.csv")
            .setMapping(
                Struct.newBuilder()
                    .putFields("key", text("id"))
                    .putFields("columns", Value.newBuilder().setStructValue(columns).build()))
            .build();
    JobsGrpc.JobsBlockingStub jobs = JobsGrpc.newBlockingStub(channel);
    assertThat(jobs.createJob(create).getTable()).isEqualTo("accounts");
    JobName name = JobName.newBuilder().setJob("nightly").build();
    Job job = jobs.getJob(name);
    for (int i = 0; job.getWorking() && i < 500; i++) {
      Thread.sleep(20);
      job = jobs.getJob(name);
    }
    assertThat(job.getState()).isEqualTo("remainder");
    assertThat(job.getCounts().getWritten()).isEqualTo(1);
    assertThat(job.getFailures(0).getCode()).isEqualTo("WRONG_TYPE");
    assertThat(job.getAtomic()).isFalse();
    assertThat(job.getWaits()).isTrue();
    assertThat(job.getMayList()).containsExactly("retry", "cancel");
    assertThat(jobs.createJob(create).getDoneBefore()).isTrue();
    ListAttemptsResponse attempts =
        jobs.listAttempts(ListAttemptsRequest.newBuilder().setJob("nightly").build());
    assertThat(attempts.getAttempts(0).getEnd()).isEqualTo("done");
    assertThat(attempts.getAttempts(0).getCounts().getRejected()).isEqualTo(1);
    ReadLogRequest log =
        ReadLogRequest.newBuilder().setJob("nightly").setLog("detailed").setRound(0).build();
    assertThat(jobs.readLog(log).getEntries(0).getCode()).isEqualTo("WRONG_TYPE");
    strict("/v1/jobs/nightly/attempts", ListAttemptsResponse.getDefaultInstance());
    strict("/v1/jobs/nightly/logs/detailed", ReadLogResponse.getDefaultInstance());
    strict("/v1/jobs", ListJobsResponse.getDefaultInstance());
    strict("/v1/jobs/nightly", Job.getDefaultInstance());
    assertThat(jobs.cancelJob(name).getState()).isEqualTo("cancelled");
  }

  @Test
  void storesAreReadSwappedAndRolledBack() throws Exception {
    StoresGrpc.StoresBlockingStub stores = StoresGrpc.newBlockingStub(channel);
    for (int version = 1; version <= 2; version++) {
      Path out = dir.resolve("built-" + version);
      try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), out)) {
        builder.add(Bytes.of("bob"), Bytes.of("v" + version));
        builder.finish();
      }
      stores.fetchVersion(
          FetchVersionRequest.newBuilder()
              .setStore("people")
              .setFrom(StoreBuilder.folder(out, 0).toString())
              .build());
      StoreName name = StoreName.newBuilder().setStore("people").build();
      while (stores.getFetch(name).getState().equals("running")) {
        Thread.sleep(5);
      }
      assertThat(stores.getFetch(name).getProblem()).isEmpty();
      stores.swapVersion(
          SwapVersionRequest.newBuilder().setStore("people").setVersion(version).build());
    }
    GetValuesRequest get =
        GetValuesRequest.newBuilder()
            .setStore("people")
            .addKeys(ByteString.copyFromUtf8("bob"))
            .addKeys(ByteString.copyFromUtf8("joe"))
            .build();
    GetValuesResponse values = stores.getValues(get);
    assertThat(values.getVersion()).isEqualTo(2);
    assertThat(values.getValues(0).getValue().toStringUtf8()).isEqualTo("v2");
    assertThat(values.getValues(1).hasValue()).isFalse();
    StoreVersion last = StoreVersion.newBuilder().setStore("people").build();
    long flips = stores.listVersions(StoreName.newBuilder().setStore("people").build()).getFlips();
    RollBackVersionRequest back =
        RollBackVersionRequest.newBuilder().setStore("people").setFrom(2).setFlips(flips).build();
    assertThat(stores.rollBackVersion(back).getVersion()).isEqualTo(1);
    stores.swapVersion(
        SwapVersionRequest.newBuilder()
            .setStore("people")
            .setVersion(2)
            .setForce(true)
            .setFlips(flips + 1)
            .build());
    assertThat(refused(() -> stores.rollBackVersion(back))).hasMessageContaining("made live since");
    SwapVersionRequest late =
        SwapVersionRequest.newBuilder().setStore("people").setVersion(2).setFlips(flips).build();
    assertThat(refused(() -> stores.swapVersion(late))).hasMessageContaining("made live since");
    assertThat(stores.rollBackVersion(back.toBuilder().setFlips(flips + 2).build()).getVersion())
        .isEqualTo(1);
    assertThat(stores.getValues(get).getValues(0).getValue().toStringUtf8()).isEqualTo("v1");
    assertThat(
            stores
                .listVersions(StoreName.newBuilder().setStore("people").build())
                .getVersionsList())
        .hasSize(2);
    assertThat(stores.listStores(ListStoresRequest.getDefaultInstance()).getStoresList())
        .containsExactly(last.toBuilder().setVersion(1).build());
  }

  /** What HTTP answers has a field in the message. */
  private void strict(String path, Message message) throws InvalidProtocolBufferException {
    JsonNode answered = node.get(path).json();
    Message.Builder builder = message.newBuilderForType();
    JsonFormat.parser().merge(answered.toString(), builder);
    assertThat(builder.build()).as(path).isNotNull();
  }

  @Test
  void operatorsSeeTheSameAsOverHttp() throws Exception {
    run(set("bob", "1"));
    admin.createPin(PinName.newBuilder().setPin("march").build());
    assertThatThrownBy(() -> admin.createPin(PinName.newBuilder().setPin("march").build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("is at");
    assertThat(admin.createBackup(BackupName.newBuilder().setBackup("first").build()).getRowsMap())
        .containsEntry("accounts", 1L);
    assertThat(admin.collect(CollectRequest.getDefaultInstance()).getComplete()).isTrue();
    assertThat(admin.listBackups(ListBackupsRequest.getDefaultInstance()).getBackupsList())
        .containsExactly("first");
    assertThat(
            admin
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getGatewayOrThrow("committed")
                .getCount())
        .isPositive();
    assertThat(admin.listTables(ListTablesRequest.getDefaultInstance()).getTables(0).getTable())
        .isEqualTo("accounts");
    strict("/v1/tables", ListTablesResponse.getDefaultInstance());
    strict("/v1/pins", ListPinsResponse.getDefaultInstance());
    strict("/v1/gc", Collection.getDefaultInstance());
    strict("/v1/status", NodeStatus.getDefaultInstance());
    strict("/v1/observers", ListObserversResponse.getDefaultInstance());
    strict(
        "/v1/tables/accounts/rows/bob/explanation?versions=2", RowExplanation.getDefaultInstance());
    RowExplanation explained =
        admin.explainRow(
            io.braid.rpc.v1.ExplainRowRequest.newBuilder()
                .setTable("accounts")
                .setRow("bob")
                .setVersions(2)
                .build());
    assertThat(explained.getFactsCount()).isPositive();
    admin.deletePin(PinName.newBuilder().setPin("march").build());
    assertThat(node.get("/v1/pins").json().path("pins")).isEmpty();
    admin.dropTable(TableName.newBuilder().setTable("accounts").build());
    assertThat(node.get("/v1/tables/accounts").status()).isEqualTo(404);
  }

  @Test
  void aMessageThatIsTooLongIsRefused() {
    String value = "x".repeat(9 << 20);
    assertThatThrownBy(() -> run(set("bob", value)))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED");
    assertThat(run(get("bob")).getResults(0).getColumnsCount()).isZero();
  }

  @Test
  void scansGiveAllRowsInOrder() {
    for (int i = 0; i < 10; i++) {
      int from = i * 100;
      RunRequest.Builder script = RunRequest.newBuilder();
      for (int n = from; n < from + 100; n++) {
        script.addOperations(set(String.format("r%04d", n), "v" + n));
      }
      transactions.run(script.build());
    }
    List<String> keys = new ArrayList<>();
    rows.scan(
            io.braid.rpc.v1.ScanRequest.newBuilder()
                .setScan(ScanOperation.newBuilder().setTable("accounts").setLimit(777))
                .build())
        .forEachRemaining(
            some -> some.getRowsList().forEach(each -> keys.add(each.getKey().toStringUtf8())));
    assertThat(keys).hasSize(777).isSorted();
    assertThat(
            rows.scan(
                    io.braid.rpc.v1.ScanRequest.newBuilder()
                        .setScan(
                            ScanOperation.newBuilder()
                                .setTable("accounts")
                                .setPrefix(ByteString.copyFromUtf8("none")))
                        .build())
                .next()
                .getAt())
        .isPositive();
  }
}
