package io.braid.store.hbase;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects behind HBase's interfaces of which a test needs few methods. */
public final class Fakes {
  /** What a method does. */
  public interface Answer {
    @Nullable Object to(Object[] arguments) throws Throwable;
  }

  private Fakes() {}

  /**
   * @param answers by the names of methods; setters that nobody answers return the object, methods
   *     with a default body do what that says, and all others fail
   */
  public static <T> T of(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            Fakes.class.getClassLoader(),
            new Class<?>[] {type},
            (fake, method, arguments) ->
                call(fake, method, arguments == null ? new Object[0] : arguments, answers)));
  }

  private static @Nullable Object call(
      Object fake, Method method, Object[] arguments, Map<String, Answer> answers)
      throws Throwable {
    Answer answer = answers.get(method.getName());
    if (answer != null) {
      return answer.to(arguments);
    }
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "hashCode" -> System.identityHashCode(fake);
        case "equals" -> fake == arguments[0];
        default -> "a fake " + fake.getClass().getInterfaces()[0].getSimpleName();
      };
    }
    if (method.getName().startsWith("set") && method.getReturnType().isInstance(fake)) {
      return fake;
    }
    if (method.isDefault()) {
      try {
        return InvocationHandler.invokeDefault(fake, method, arguments);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }
    throw new UnsupportedOperationException(method.toString());
  }
}
