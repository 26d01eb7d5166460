package io.braid.observers;

import java.lang.Thread.UncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the deaths of processes that a test wants out of its output. */
final class SilentDeaths implements BeforeAllCallback, AfterAllCallback {
  private @Nullable UncaughtExceptionHandler before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          if (!(error instanceof MortalStore.Died)) {
            error.printStackTrace();
          }
        });
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
