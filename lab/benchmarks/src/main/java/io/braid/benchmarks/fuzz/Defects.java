package io.braid.benchmarks.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/**
 * Collects the defects that the servers report. An error in their log and a thread that died are
 * defects, whatever answer the client got. A warning with an exception is also a defect.
 */
final class Defects extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final int KEPT = 5;

  private final AtomicLong count = new AtomicLong();
  private final List<String> first = new ArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger("io.braid");
  private final java.util.logging.Logger transport = java.util.logging.Logger.getLogger("io.grpc");
  private final Handler severe =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue()) {
            add(record.getMessage() + " " + record.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();

  Defects() {
    setContext(root.getLoggerContext());
    start();
    root.addAppender(this);
    transport.addHandler(severe);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> add("Thread " + thread.getName() + " died: " + failure));
  }

  @Override
  protected void append(ILoggingEvent event) {
    boolean failure = event.getThrowableProxy() != null;
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)
        || (failure && event.getLevel().isGreaterOrEqual(Level.WARN))) {
      add(
          event.getFormattedMessage()
              + (failure
                  ? " "
                      + event.getThrowableProxy().getClassName()
                      + ": "
                      + event.getThrowableProxy().getMessage()
                      + at(event)
                  : ""));
    }
  }

  private static String at(ILoggingEvent event) {
    var frames = event.getThrowableProxy().getStackTraceElementProxyArray();
    return frames.length == 0 ? "" : " " + frames[0];
  }

  private synchronized void add(String defect) {
    count.incrementAndGet();
    if (first.size() < KEPT) {
      first.add(defect);
    }
  }

  long count() {
    return count.get();
  }

  synchronized List<String> first() {
    return List.copyOf(first);
  }

  @Override
  public void close() {
    root.detachAppender(this);
    transport.removeHandler(severe);
    stop();
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
