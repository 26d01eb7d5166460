package io.braid.simulation.schedule;

/** The threads that the tasks of one run run on. */
interface Threads {
  /** A thread that has yet to be started. */
  Thread create(String name, Runnable body);

  /** Lets idle threads end that are no longer needed. */
  void close();

  /** The quickest that this JVM has: virtual ones where they can be had. */
  static Threads quickest() {
    Threads virtual = VirtualThreads.ifPossible();
    return virtual == null ? platform() : virtual;
  }

  /** Threads of the system. The kernel hands control over. */
  static Threads platform() {
    return new Threads() {
      @Override
      public Thread create(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
      }

      @Override
      public void close() {}
    };
  }
}
