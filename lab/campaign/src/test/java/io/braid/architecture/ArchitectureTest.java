package io.braid.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Procedure;
import io.braid.core.store.ProcedureLibrary;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The house of ARCHITECTURE.md: who may know whom, and who may touch threads and clocks. */
class ArchitectureTest {
  private static final JavaClasses BRAID =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.braid");

  private static final DescribedPredicate<JavaClass> BRAIDS_OWN = resideInAPackage("io.braid..");
  private static final String[] STRANDS = {
    "io.braid.core..",
    "io.braid.percolator..",
    "io.braid.omid..",
    "io.braid.indexes..",
    "io.braid.observers..",
    "io.braid.groups..",
    "io.braid.serving..",
    "io.braid.batch..",
    "io.braid.changes.."
  };

  @Test
  void whatIsReleasedKnowsNothingOfTheLaboratory() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.braid.lab..", "io.braid.simulation..", "io.braid.benchmarks..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.braid.lab..", "io.braid.simulation..", "io.braid.benchmarks..")
        .check(BRAID);
  }

  @Test
  void everyModuleIsSeen() {
    for (String part :
        List.of(
            "core",
            "percolator",
            "indexes",
            "observers",
            "groups",
            "serving",
            "batch",
            "changes",
            "store.rocksdb",
            "testkit",
            "simulation",
            "lab",
            "cli")) {
      assertThat(BRAID.stream().map(JavaClass::getPackageName))
          .as(part)
          .anyMatch(name -> name.startsWith("io.braid." + part));
    }
  }

  /** Without them, a region server that has the jar refuses the calls of a whole strand. */
  @Test
  void theJarForRegionServersHasTheProceduresOfEveryStrandOnHBase() throws IOException {
    Path root = Path.of("../..");
    String jar = Files.readString(root.resolve("stores/hbase-server/pom.xml"));
    for (ProcedureLibrary library : ServiceLoader.load(ProcedureLibrary.class)) {
      Path module = module(root, library.getClass());
      // Nodes of served stores keep their rows in RocksDB.
      if (!module.endsWith("serving") && !module.startsWith(root.resolve("lab"))) {
        String pom = Files.readString(module.resolve("pom.xml"));
        Matcher artifact =
            Pattern.compile("</parent>\\s*<artifactId>([a-z-]+)</artifactId>").matcher(pom);
        assertThat(artifact.find()).as(pom).isTrue();
        assertThat(jar).contains("<artifactId>" + artifact.group(1) + "</artifactId>");
      }
    }
  }

  private static Path module(Path root, Class<?> type) throws IOException {
    String source = "src/main/java/" + type.getName().replace('.', '/') + ".java";
    try (Stream<Path> folders = Files.walk(root, 2)) {
      return folders
          .filter(each -> Files.exists(each.resolve(source)))
          .findFirst()
          .orElseThrow(() -> new AssertionError(source));
    }
  }

  @Test
  void coreKnowsOnlyItself() {
    classes()
        .that()
        .resideInAPackage("io.braid.core..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "io.braid.core..",
                "java..",
                "javax.net.ssl..",
                "org.apiguardian..",
                "org.jspecify..",
                "org.slf4j.."))
        .check(BRAID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "percolator",
        "omid",
        "indexes",
        "observers",
        "groups",
        "serving",
        "batch",
        "changes",
        "store.rocksdb",
        "testkit"
      })
  void strandsAndStoresKnowOnlyCore(String part) {
    String own = "io.braid." + part + "..";
    classes()
        .that()
        .resideInAPackage(own)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.not(BRAIDS_OWN)
                .or(resideInAnyPackage("io.braid.core..", "io.braid.http..", own)))
        .check(BRAID);
  }

  /** Whoever listens for HTTP some other way would let in what web pages send. */
  @Test
  void allThatListensForHttpIsAnEndpoint() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.braid.http..", "io.braid.benchmarks..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("com.sun.net.httpserver.HttpServer")
        .check(BRAID);
  }

  /** Handlers of the JDK wait without a bound for what comes after the headers of an answer. */
  @Test
  void bodiesOfAnswersHaveATimeLimit() {
    for (String unbounded : List.of("ofString", "ofByteArray", "discarding")) {
      noClasses()
          .that()
          .resideOutsideOfPackage("io.braid.benchmarks..")
          .should()
          .callMethod(BodyHandlers.class, unbounded)
          .check(BRAID);
    }
  }

  @Test
  void rocksDbShowsOnlyInItsStore() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.braid.store.rocksdb..", "io.braid.benchmarks..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.rocksdb..")
        .check(BRAID);
  }

  @Test
  void strandsReachThreadsClocksAndChanceOnlyThroughSeams() {
    noClasses()
        .that()
        .resideInAnyPackage(STRANDS)
        .and()
        .doNotBelongToAnyOf(SystemSeams.class)
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocalRandom.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.ExecutorService.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.CompletableFuture.class)
        .orShould()
        .callConstructor(Thread.class)
        .check(BRAID);
  }

  /** Stores that run procedures in another process find them in the libraries. */
  @Test
  void everyProcedureStandsInALibrary() {
    Set<String> listed =
        ServiceLoader.load(ProcedureLibrary.class).stream()
            .flatMap(library -> library.get().procedures().stream())
            .map(procedure -> procedure.getClass().getName())
            .collect(Collectors.toSet());

    assertThat(
            BRAID.stream()
                .filter(type -> type.isAssignableTo(Procedure.class))
                .filter(type -> type.tryGetField("INSTANCE").isPresent())
                .map(JavaClass::getName))
        .isNotEmpty()
        .isSubsetOf(listed);
  }

  /** A reader takes in no more than 40 classes at once. */
  @Test
  void packagesAreSmall() {
    Map<String, Long> large =
        BRAID.stream()
            .filter(type -> type.getEnclosingClass().isEmpty())
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    large.remove("io.braid.rpc.v1"); // generated
    large.values().removeIf(classes -> classes <= 40);
    assertThat(large).isEmpty();
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(BRAID);
  }
}
