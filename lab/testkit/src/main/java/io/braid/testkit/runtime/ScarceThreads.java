package io.braid.testkit.runtime;

import io.braid.core.runtime.Seams;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A system whose threads others have taken, for a while. */
public final class ScarceThreads {
  private ScarceThreads() {}

  /**
   * Surroundings that have no thread for the first who ask.
   *
   * @param real answers everything else
   * @param refusals how many are refused, as the JVM does it
   */
  public static Seams of(Seams real, int refusals) {
    AtomicInteger left = new AtomicInteger(refusals);
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("start") && left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
