package io.braid.server.coordination.zookeeper;

import io.braid.core.runtime.Liveness;
import io.braid.core.store.TabletUnavailableException;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.Member;
import io.braid.server.coordination.Register;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;

/**
 * Members as ephemeral nodes under {@code ROOT/alive}, registers as nodes under {@code ROOT}. A
 * process that loses its session appears again under the same token when it is back: others may
 * have rolled back its transactions meanwhile, which it then finds out at its primaries.
 */
public final class ZooKeeperCoordination implements Coordination {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int RETRIES = 5;
  private static final int PAUSE_MILLIS = 200;

  private final CuratorFramework client;
  private final CreatorsRights rights;
  private final String servers;
  private final String token = UUID.randomUUID().toString();
  private final PersistentNode alive;
  private volatile boolean closed;

  private ZooKeeperCoordination(
      CuratorFramework client, CreatorsRights rights, String servers, String description) {
    this.client = client;
    this.rights = rights;
    this.servers = servers;
    byte[] text = description.getBytes(StandardCharsets.UTF_8);
    alive = new PersistentNode(client, CreateMode.EPHEMERAL, false, "/alive/" + token, text);
  }

  /**
   * Joins the processes under a root. Where ZooKeeper knows this process by name, no other user may
   * change its nodes: all processes of a database then need the same name.
   *
   * @param servers as ZooKeeper's clients take them: {@code host:port,host:port}
   * @param root the path of the nodes, which is made if it is missing
   * @param session after how long a silent process counts as dead
   * @throws TabletUnavailableException when ZooKeeper does not answer
   */
  public static ZooKeeperCoordination join(
      String servers, String root, Duration session, String description) {
    return join(CuratorFrameworkFactory.builder(), servers, root, session, description);
  }

  /**
   * The same as {@link #join(String, String, Duration, String)}, with a client that has a password.
   */
  public static ZooKeeperCoordination join(
      CuratorFrameworkFactory.Builder builder,
      String servers,
      String root,
      Duration session,
      String description) {
    String namespace = root.startsWith("/") ? root.substring(1) : root;
    CreatorsRights rights = new CreatorsRights("/" + namespace);
    CuratorFramework client =
        builder
            .connectString(servers)
            .namespace(namespace)
            .aclProvider(rights)
            .sessionTimeoutMs(Math.toIntExact(session.toMillis()))
            .connectionTimeoutMs(Math.toIntExact(PATIENCE.toMillis()))
            .retryPolicy(new RetryNTimes(RETRIES, PAUSE_MILLIS))
            .build();
    ZooKeeperCoordination joined = new ZooKeeperCoordination(client, rights, servers, description);
    try {
      joined.begin();
      return joined;
    } catch (RuntimeException e) {
      joined.close();
      throw e;
    }
  }

  private void begin() {
    client.start();
    ask(
        () -> {
          if (!client.blockUntilConnected((int) PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw unavailable(null);
          }
          rights.learn(client);
          alive.start();
          if (!alive.waitForInitialCreate(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw unavailable(null);
          }
          return true;
        });
  }

  /** A call of ZooKeeper. */
  interface ZooKeeperCall<R> {
    R call() throws Exception;
  }

  @SuppressWarnings("PMD.AvoidCatchingGenericException") // as the client declares it
  <R> R ask(ZooKeeperCall<R> asked) {
    if (closed) {
      throw left();
    }
    try {
      return asked.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    } catch (RuntimeException e) {
      throw closed ? left() : e;
    } catch (Exception e) {
      throw unavailable(e);
    }
  }

  /**
   * Makes the exception for calls that are still at work while this is being closed: their client
   * would report a defect.
   */
  private static TabletUnavailableException left() {
    return new TabletUnavailableException("This process has left those that ZooKeeper knows.");
  }

  private TabletUnavailableException unavailable(@org.jspecify.annotations.Nullable Exception e) {
    return new TabletUnavailableException(
        "ZooKeeper at " + servers + " does not answer: " + (e == null ? "no connection" : e), e);
  }

  @Override
  public Liveness liveness() {
    return new Liveness() {
      @Override
      public String token() {
        return token;
      }

      @Override
      public boolean isAlive(String other) {
        return token.equals(other) || exists(other);
      }
    };
  }

  private boolean exists(String other) {
    if (!isToken(other)) {
      return false;
    }
    try {
      return ask(() -> client.checkExists().forPath("/alive/" + other) != null);
    } catch (TabletUnavailableException | IllegalStateException e) {
      return true;
    }
  }

  private static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c == '-' || Character.isLetterOrDigit(c));
  }

  @Override
  public Register register(String name) {
    return new ZooKeeperRegister(this, client, "/" + name);
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (String each :
        ask(() -> client.getChildren().forPath("/alive")).stream().sorted().toList()) {
      byte[] text =
          ask(
              () -> {
                try {
                  return client.getData().forPath("/alive/" + each);
                } catch (NoNodeException e) {
                  return new byte[0];
                }
              });
      members.add(new Member(each, new String(text, StandardCharsets.UTF_8)));
    }
    return members;
  }

  @Override
  public void close() {
    closed = true;
    try {
      alive.close();
    } catch (java.io.IOException e) {
      // The session ends with the client, and the token with the session.
    } finally {
      client.close();
    }
  }
}
