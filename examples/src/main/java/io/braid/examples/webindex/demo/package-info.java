/**
 * The demonstration: {@link io.braid.examples.webindex.demo.Demo} takes a crawl through the {@link
 * io.braid.examples.webindex.demo.Stage}s, remembers in the database how far it came, and tells a
 * {@link io.braid.examples.webindex.demo.DemoView} what there is to see.
 */
@NullMarked
package io.braid.examples.webindex.demo;

import org.jspecify.annotations.NullMarked;
