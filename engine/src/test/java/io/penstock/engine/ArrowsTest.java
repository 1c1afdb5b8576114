package io.penstock.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.penstock.engine",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArrowsTest {
  @ArchTest
  static final ArchRule CAPABILITIES_HAVE_NO_CYCLES =
      slices().matching("io.penstock.engine.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_ENGINE_KNOWS_NO_SQL_AND_NO_HTTP =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "java.net..", "org.postgresql..");

  @ArchTest
  static final ArchRule ONLY_THE_HOST_MAKES_THREADS_AND_TIMERS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.engine.host")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              java.util.concurrent.ExecutorService.class,
              java.util.concurrent.ScheduledExecutorService.class,
              java.util.concurrent.CompletableFuture.class);

  @ArchTest
  static final ArchRule ONLY_THE_HOST_STARTS_THREADS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.engine.host")
          .should()
          .callMethod(Thread.class, "ofPlatform")
          .orShould()
          .callMethod(Thread.class, "ofVirtual")
          .orShould()
          .callMethod(Thread.class, "startVirtualThread", Runnable.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class);
}
