/** The messages between client and region server, and the form of names and keys in HBase. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.hbase.wire;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
