package io.braid.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.braid.core.failure.BraidException;
import io.braid.docs.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;
import org.junit.jupiter.api.Test;

/**
 * Every public type declares what it promises: by {@code @API} on itself, or on its package. An API
 * type mentions API types only. See docs/embedding.md.
 */
class DeclaredApiTest {
  private static final int MOST_TYPES = 300;

  private static final JavaClasses BRAID =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.braid");

  /** Written by a generator from the messages of gRPC, which have their own rules for changes. */
  private static final String GENERATED = "io.braid.rpc.v1";

  private static final Pattern STATUS =
      Pattern.compile("@API\\(status = (?:API\\.)?Status\\.(\\w+)");
  private static final Pattern DECLARED =
      Pattern.compile(
          "^(?:@[^\\n]*\\n)*public (?:(?:abstract|final|sealed|non-sealed) )*"
              + "(class|record|enum|interface|@interface) \\w+",
          Pattern.MULTILINE);
  private static final Pattern NESTED =
      Pattern.compile(
          "^  (?:public |protected )(?:(?:abstract|final|sealed|non-sealed|static) )*"
              + "(?:class|record|enum|interface) \\w+",
          Pattern.MULTILINE);

  /** What an interface holds is public without the word. */
  private static final Pattern NESTED_IN_INTERFACE =
      Pattern.compile(
          "^  (?:(?:public|static|final|sealed|non-sealed) )*"
              + "(?:class|record|enum|interface) \\w+",
          Pattern.MULTILINE);

  /** An internal type or member, with its comment. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "^((?: *+/\\*\\*(?:(?!\\*/).)*+\\*/\n)?)(?: *+@[^\n]*\n)*? *+"
              + "@API\\(status = API\\.Status\\.INTERNAL\\)$",
          Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern MODULE = Pattern.compile("<braid.module>([^<]*)</braid.module>");

  private record Declared(String name, Optional<Status> status, int nested) {}

  private static boolean isReleased(Path file) {
    String path = SourceFiles.ROOT.relativize(file).toString();
    return path.contains("src/main/")
        && !path.startsWith("examples")
        && (!path.startsWith("lab") || path.startsWith("lab/testkit"));
  }

  private static Optional<Status> statusIn(String text) {
    Matcher found = STATUS.matcher(text);
    return found.find() ? Optional.of(Status.valueOf(found.group(1))) : Optional.empty();
  }

  private static Optional<Status> ofPackage(Path folder) throws IOException {
    Path info = folder.resolve("package-info.java");
    return Files.exists(info) ? statusIn(Files.readString(info)) : Optional.empty();
  }

  private static Pattern nested(String kind) {
    return kind.equals("interface") ? NESTED_IN_INTERFACE : NESTED;
  }

  /** The public top-level types of what is released, read from their sources. */
  private static List<Declared> declared() throws IOException {
    List<Declared> all = new ArrayList<>();
    for (Path file : SourceFiles.endingWith(".java")) {
      if (isReleased(file)) {
        String text = Files.readString(file);
        Matcher type = DECLARED.matcher(text);
        if (type.find()) {
          Optional<Status> own = statusIn(type.group());
          all.add(
              new Declared(
                  SourceFiles.ROOT.relativize(file).toString(),
                  own.isPresent() ? own : ofPackage(file.resolveSibling("")),
                  (int) nested(type.group(1)).matcher(text).results().count()));
        }
      }
    }
    return all;
  }

  @Test
  void everyPublicTypeDeclaresWhatItPromises() throws IOException {
    assertThat(declared().stream().filter(each -> each.status().isEmpty()).map(Declared::name))
        .isEmpty();
  }

  @Test
  void theApiIsSmall() throws IOException {
    int types =
        declared().stream()
            .filter(each -> each.status().isPresent() && each.status().get() != Status.INTERNAL)
            .mapToInt(each -> 1 + each.nested())
            .sum();
    assertThat(types).isPositive().isLessThanOrEqualTo(MOST_TYPES);
  }

  private static Status status(JavaClass type) {
    JavaClass each = type;
    while (true) {
      if (each.isAnnotatedWith(API.class)) {
        return each.getAnnotationOfType(API.class).status();
      }
      if (each.getEnclosingClass().isEmpty()) {
        return each.getPackage()
            .tryGetAnnotationOfType(API.class)
            .map(API::status)
            .orElse(Status.INTERNAL);
      }
      each = each.getEnclosingClass().get();
    }
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(DeclaredApiTest::isVisible).orElse(true);
  }

  private static boolean isPromised(JavaClass type) {
    return isVisible(type) && status(type) != Status.INTERNAL;
  }

  private static boolean isPromised(JavaMember member) {
    return isVisible(member.getModifiers())
        && !member.getModifiers().contains(JavaModifier.SYNTHETIC)
        && !(member.isAnnotatedWith(API.class)
            && member.getAnnotationOfType(API.class).status() == Status.INTERNAL);
  }

  private static Stream<JavaType> mentioned(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit code = (JavaCodeUnit) member;
    return Stream.of(
            Stream.of(code.getReturnType()),
            code.getParameterTypes().stream(),
            code.getExceptionTypes().stream(),
            code.getTypeParameters().stream().flatMap(each -> each.getUpperBounds().stream()))
        .flatMap(each -> each);
  }

  private static boolean isMissing(JavaClass type) {
    return type.getPackageName().startsWith("io.braid")
        && !type.getPackageName().equals(GENERATED)
        && !isPromised(type);
  }

  @Test
  void anApiTypeMentionsApiTypesOnly() {
    Set<String> missing = new TreeSet<>();
    for (JavaClass type : BRAID) {
      if (isPromised(type)) {
        for (JavaMember member : type.getMembers()) {
          if (isPromised(member)) {
            mentioned(member)
                .flatMap(each -> each.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType)
                .filter(DeclaredApiTest::isMissing)
                .forEach(each -> missing.add(member.getFullName() + " -> " + each.getName()));
          }
        }
        type.getInterfaces().stream()
            .flatMap(each -> each.getAllInvolvedRawTypes().stream())
            .filter(each -> isMissing(each) && isVisible(each))
            .forEach(each -> missing.add(type.getName() + " is a " + each.getName()));
      }
    }
    assertThat(missing).isEmpty();
  }

  /** The server and the command line answer an exception without a code as a defect. */
  @Test
  void anExceptionOfTheApiHasACode() {
    assertThat(
            BRAID.stream()
                .filter(DeclaredApiTest::isPromised)
                .filter(type -> type.isAssignableTo(RuntimeException.class))
                .filter(type -> !type.isAssignableTo(BraidException.class))
                .filter(type -> !type.isAssignableTo(IllegalArgumentException.class))
                .map(JavaClass::getName))
        .isEmpty();
  }

  /** A type that a package promises less than is INTERNAL; none promises more. */
  @Test
  void noTypePromisesMoreThanItsPackage() {
    assertThat(
            BRAID.stream()
                .filter(type -> type.isAnnotatedWith(API.class))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(
                    type ->
                        type.getPackage()
                            .tryGetAnnotationOfType(API.class)
                            .filter(each -> each.status() == Status.INTERNAL)
                            .isPresent())
                .map(JavaClass::getName))
        .isEmpty();
  }

  @Test
  void theSiteShowsNoInternalPackage() throws IOException {
    Set<String> internal = new TreeSet<>();
    Set<String> shown = new TreeSet<>();
    for (Path file : SourceFiles.endingWith("package-info.java")) {
      if (isReleased(file)) {
        String text = Files.readString(file);
        Matcher name = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE).matcher(text);
        assertThat(name.find()).as(file.toString()).isTrue();
        (statusIn(text).filter(each -> each == Status.INTERNAL).isPresent() ? internal : shown)
            .add(name.group(1));
      }
    }
    Matcher excluded =
        Pattern.compile("<excludePackageNames>([^<]*)<")
            .matcher(Files.readString(SourceFiles.ROOT.resolve("lab/site/pom.xml")));
    assertThat(excluded.find()).isTrue();
    assertThat(Stream.of(excluded.group(1).split("[,:\\s]+")).map(String::strip))
        .containsAll(internal)
        .doesNotContainAnyElementsOf(shown);
  }

  /** Javadoc has no other way to leave out a type or member of a package that it shows. */
  @Test
  void internalTypesOfShownPackagesAreHidden() throws IOException {
    List<String> shown = new ArrayList<>();
    for (Path file : SourceFiles.endingWith(".java")) {
      if (isReleased(file) && !file.endsWith("package-info.java")) {
        String text = Files.readString(file);
        Matcher internal = INTERNAL.matcher(text);
        while (internal.find()) {
          if (!internal.group(1).contains("@hidden")) {
            shown.add(SourceFiles.ROOT.relativize(file) + ": " + internal.group());
          }
        }
      }
    }
    assertThat(shown).isEmpty();
  }

  @Test
  void everyJarIsAModule() throws IOException {
    for (Path pom : SourceFiles.endingWith("pom.xml")) {
      if (Files.isDirectory(pom.resolveSibling("src/main/java"))) {
        Matcher module = MODULE.matcher(Files.readString(pom));
        assertThat(module.find()).as(pom.toString()).isTrue();
        assertThat(module.group(1)).as(pom.toString()).matches("io\\.braid(\\.[a-z]+)*");
      }
    }
  }
}
