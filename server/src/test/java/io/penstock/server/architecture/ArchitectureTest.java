package io.penstock.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.penstock.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.penstock.server.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONLY_THE_HTTP_PACKAGE_KNOWS_THE_HTTP_SERVER =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.server.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..");

  @ArchTest
  static final ArchRule ONLY_THE_COMMANDS_AND_THE_WIRING_KNOW_THE_WIRING =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.penstock.server.cli", "io.penstock.server.wiring")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.penstock.server.wiring");
}
