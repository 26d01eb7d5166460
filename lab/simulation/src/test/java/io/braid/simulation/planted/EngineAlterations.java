package io.braid.simulation.planted;

import io.braid.core.data.Bytes;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.simulation.cluster.Tampering;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is done wrong where nodes keep read-write stores. */
final class EngineAlterations {
  private EngineAlterations() {}

  /** What comes last stays, whatever its clock says of what was there. */
  static Tampering clocksUnread() {
    return engines(
        honest ->
            new Forwarding(honest) {
              @Override
              public boolean put(Bytes key, VersionedValue fresh) {
                super.remove(key, get(key));
                return super.put(key, fresh);
              }

              @Override
              public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
                return put(key, fresh);
              }
            });
  }

  /** A writer need not have seen what was first written at the node that takes its write. */
  static Tampering mastersUnchecked() {
    return engines(
        honest ->
            new Forwarding(honest) {
              @Override
              public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
                return put(key, fresh);
              }
            });
  }

  /** Tries of one write pass for several writes, as counts alone do not tell them apart. */
  static Tampering triesUnnamed() {
    return engines(
        honest ->
            new Forwarding(honest) {
              @Override
              public boolean put(Bytes key, VersionedValue fresh) {
                return super.put(key, unnamed(fresh));
              }

              @Override
              public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
                return super.putFirst(key, unnamed(fresh), master);
              }
            });
  }

  private static VersionedValue unnamed(VersionedValue fresh) {
    return new VersionedValue(
        new VectorClock(fresh.clock().counts()), fresh.millis(), fresh.value());
  }

  /** Siblings that a writer has not seen go with those that it has. */
  static Tampering siblingsDropped() {
    return engines(
        honest ->
            new Forwarding(honest) {
              @Override
              public boolean put(Bytes key, VersionedValue fresh) {
                boolean taken = super.put(key, fresh);
                if (taken) {
                  super.remove(key, get(key).stream().filter(v -> !v.equals(fresh)).toList());
                }
                return taken;
              }
            });
  }

  private static Tampering engines(UnaryOperator<Engine> change) {
    return new Tampering() {
      @Override
      public Surroundings tamper(Surroundings honest) {
        return honest;
      }

      @Override
      public Engine engine(Engine honest) {
        return change.apply(honest);
      }
    };
  }

  /** An engine as it is. */
  private static class Forwarding implements Engine {
    private final Engine engine;

    Forwarding(Engine engine) {
      this.engine = engine;
    }

    @Override
    public List<VersionedValue> get(Bytes key) {
      return engine.get(key);
    }

    @Override
    public boolean put(Bytes key, VersionedValue fresh) {
      return engine.put(key, fresh);
    }

    @Override
    public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
      return engine.putFirst(key, fresh, master);
    }

    @Override
    public void remove(Bytes key, List<VersionedValue> gone) {
      engine.remove(key, gone);
    }

    @Override
    public List<Entry> entries(@Nullable Bytes after, int most) {
      return engine.entries(after, most);
    }

    @Override
    public void truncate() {
      engine.truncate();
    }
  }
}
