package io.braid.gateway.node;

import io.braid.ConfigurationException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Finds user code by its name, as an {@link io.braid.App}: by its class, or in a jar that lists it
 * as a service.
 */
public final class NamedClass {
  private NamedClass() {}

  /**
   * Makes an object of a class.
   *
   * @param type the type that it has to implement
   * @param named a class on the class path, or a file that ends in {@code .jar}
   * @throws ConfigurationException when there is no such class, or no object of it can be made
   */
  public static <T> T make(Class<T> type, String named) {
    if (named.endsWith(".jar")) {
      return fromJar(type, Path.of(named));
    }
    try {
      return make(type, Class.forName(named));
    } catch (ClassNotFoundException e) {
      throw new ConfigurationException(
          "There is no class "
              + named
              + " on the class path: name a jar whose "
              + services(type)
              + " names it.");
    }
  }

  private static String services(Class<?> type) {
    return "META-INF/services/" + type.getName();
  }

  private static <T> T make(Class<T> type, Class<?> named) {
    if (!type.isAssignableFrom(named)) {
      throw new ConfigurationException(
          "The class " + named.getName() + " does not implement " + type.getName() + ".");
    }
    try {
      return type.cast(named.getConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      throw new ConfigurationException(
          "The class "
              + named.getName()
              + " cannot be made an object of by a public constructor without parameters: "
              + e
              + ".");
    }
  }

  @SuppressWarnings("resource") // it lives as long as the process
  private static <T> T fromJar(Class<T> type, Path jar) {
    if (!Files.isReadable(jar)) {
      throw new ConfigurationException("There is no file " + jar + " that could be read.");
    }
    try {
      URL[] urls = {jar.toUri().toURL()};
      ClassLoader loader = new URLClassLoader(urls, type.getClassLoader());
      List<ServiceLoader.Provider<T>> found = new ArrayList<>();
      for (ServiceLoader.Provider<T> each : ServiceLoader.load(type, loader).stream().toList()) {
        if (each.type().getClassLoader() == loader) {
          found.add(each);
        }
      }
      if (found.size() != 1) {
        throw new ConfigurationException(
            "The file "
                + jar
                + " names "
                + found.size()
                + " classes in "
                + services(type)
                + ": it has to name one.");
      }
      return found.get(0).get();
    } catch (MalformedURLException e) {
      throw new ConfigurationException("The file " + jar + " has no URL: " + e.getMessage() + ".");
    }
  }
}
