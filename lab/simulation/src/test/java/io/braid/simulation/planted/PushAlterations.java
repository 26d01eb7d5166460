package io.braid.simulation.planted;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.serving.ServingException;
import io.braid.serving.client.NodeNetwork;
import io.braid.serving.client.ReadAnswer;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.net.MissedPushes;
import io.braid.serving.node.MissedPush;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.push.PushNode;
import io.braid.serving.ring.Topology;
import io.braid.simulation.cluster.Tampering;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bugs in how versions of built stores are pushed, and read. */
final class PushAlterations {
  private PushAlterations() {}

  /** One that leaves the {@link CellStore} alone. */
  private interface OfNodes extends Tampering {
    @Override
    default Surroundings tamper(Surroundings honest) {
      return honest;
    }
  }

  /** A swap that is to be undone stays. */
  static Tampering notTakenBack() {
    return new OfNodes() {
      @Override
      public PushNode pushNode(PushNode honest) {
        return new ForwardingPushNode(honest) {
          @Override
          public void takeBack(String store, long version, long flips) {}
        };
      }
    };
  }

  /** A node says that it is ready for a version, and has it live, whether it could or not. */
  static Tampering flippedUnready() {
    return new OfNodes() {
      @Override
      public PushNode pushNode(PushNode honest) {
        return new ForwardingPushNode(honest) {
          @Override
          public void prepare(String store, String push, long version, boolean force) {}

          @Override
          public void swap(
              String store,
              String push,
              long version,
              boolean force,
              long flips,
              Optional<MissedPush> missed)
              throws IOException {
            try {
              super.swap(store, push, version, force, flips, missed);
            } catch (ServingException e) {
              if (e.code() != ErrorCode.VERSION_REFUSED) {
                throw e;
              }
              // Nobody hears of it.
              return;
            }
          }
        };
      }
    };
  }

  /** Who missed a push hears nothing of it. */
  static Tampering missedUnheard() {
    return new OfNodes() {
      @Override
      public MissedPushes missedPushes(MissedPushes honest) {
        return address -> Map.of();
      }
    };
  }

  /** A node reads in what is live, whatever version was asked for. */
  static Tampering versionIgnored() {
    return new OfNodes() {
      @Override
      public NodeNetwork nodes(NodeNetwork honest) {
        return new NodeNetwork() {
          @Override
          public Topology bootstrap(String address) throws IOException {
            return honest.bootstrap(address);
          }

          @Override
          public ReadAnswer read(String address, ReadRequest asked) throws IOException {
            ReadAnswer live =
                honest.read(
                    address, new ReadRequest(asked.store(), asked.keys(), 0, asked.topology()));
            return asked.version() == 0
                ? live
                : new ReadAnswer(asked.version(), live.schema(), live.topology(), live.values());
          }
        };
      }
    };
  }

  /** A node that starts serves the highest number on its disk. */
  static Tampering highestServed() {
    return new OfNodes() {
      @Override
      public void beforeStores(NodeDirectory directory) throws IOException {
        for (String store : directory.stores()) {
          StoreVersions versions = directory.store(store);
          List<Long> numbers = versions.numbers();
          if (!numbers.isEmpty()) {
            versions.swap(numbers.get(numbers.size() - 1));
          }
        }
      }
    };
  }
}
