/** Change feeds into topics of Apache Kafka, by its own client. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.changes.kafka;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
