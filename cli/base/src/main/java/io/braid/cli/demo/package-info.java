/**
 * The demonstrations: of the web index ({@link DemoCommand}), of key groups ({@link
 * GameDemoCommand}), and of loads ({@link LoadDemoCommand}). {@link OwnCluster} starts a cluster
 * for them when HBase is there.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.demo;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
