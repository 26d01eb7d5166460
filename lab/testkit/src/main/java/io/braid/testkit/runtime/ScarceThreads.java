package io.braid.testkit.runtime;

import io.braid.core.runtime.Seams;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A system whose threads others have taken, for a while. */
public final class ScarceThreads {
  private ScarceThreads() {}

  /**
   * Returns surroundings that have no thread for the first requests.
   *
   * @param real answers everything else
   * @param refusals how many requests are refused, in the way of the JVM
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
