/**
 * The demonstration: {@link io.braid.examples.webindex.demo.Demo} takes a crawl through the {@link
 * io.braid.examples.webindex.demo.Stage}s, records its progress in the database, and reports to a
 * {@link io.braid.examples.webindex.demo.DemoView}.
 */
@NullMarked
package io.braid.examples.webindex.demo;

import org.jspecify.annotations.NullMarked;
