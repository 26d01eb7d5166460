package io.braid.gateway.node;

import io.braid.App;
import io.braid.ConfigurationException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the {@link App} that the user names: by class, or in a jar that lists one as a service. */
public final class AppLoader {
  private AppLoader() {}

  /**
   * Makes one.
   *
   * @param named a class on the class path, or a file that ends in {@code .jar}
   * @throws ConfigurationException when there is none, or it cannot be made
   */
  public static App load(String named) {
    if (named.endsWith(".jar")) {
      return fromJar(Path.of(named));
    }
    try {
      return make(Class.forName(named));
    } catch (ClassNotFoundException e) {
      throw new ConfigurationException(
          "There is no class "
              + named
              + " on the class path: name a jar whose META-INF/services/io.braid.App names it.");
    }
  }

  private static App make(Class<?> type) {
    try {
      if (type.getConstructor().newInstance() instanceof App app) {
        return app;
      }
      throw new ConfigurationException(
          "The class " + type.getName() + " does not implement io.braid.App.");
    } catch (ReflectiveOperationException e) {
      throw new ConfigurationException(
          "The class "
              + type.getName()
              + " cannot be made an object of by a public constructor without parameters: "
              + e
              + ".");
    }
  }

  @SuppressWarnings("resource") // it lives as long as the process
  private static App fromJar(Path jar) {
    if (!Files.isReadable(jar)) {
      throw new ConfigurationException("There is no file " + jar + " that could be read.");
    }
    try {
      URL[] urls = {jar.toUri().toURL()};
      ClassLoader loader = new URLClassLoader(urls, AppLoader.class.getClassLoader());
      List<ServiceLoader.Provider<App>> apps = new ArrayList<>();
      for (ServiceLoader.Provider<App> each :
          ServiceLoader.load(App.class, loader).stream().toList()) {
        if (each.type().getClassLoader() == loader) {
          apps.add(each);
        }
      }
      if (apps.size() != 1) {
        throw new ConfigurationException(
            "The file "
                + jar
                + " names "
                + apps.size()
                + " classes in META-INF/services/io.braid.App: it has to name one.");
      }
      return apps.get(0).get();
    } catch (MalformedURLException e) {
      throw new ConfigurationException("The file " + jar + " has no URL: " + e.getMessage() + ".");
    }
  }
}
