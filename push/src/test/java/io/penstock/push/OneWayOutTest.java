package io.penstock.push;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.DisplayName;

/** Case 37: one client for every outbound call, so that none can go around the guard. */
@DisplayName("case 37: there is one way out")
@AnalyzeClasses(packages = "io.penstock.push", importOptions = DoNotIncludeTests.class)
class OneWayOutTest {

  @ArchTest
  static final ArchRule case37_onlyTheOutboundClientKnowsAnHttpClient =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.push.outbound")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hc..", "java.net.http..");

  @ArchTest
  static final ArchRule case37_onlyTheDialerOpensSockets =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.penstock.push.outbound.Dialer")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Socket.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(SocketChannel.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(URL.class, URI.class);

  @ArchTest
  static final ArchRule case37_onlyTheBoundedPoolResolvesNames =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.penstock.push.lookup.Names")
          .should()
          .callMethod(InetAddress.class, "getAllByName", String.class)
          .orShould()
          .callMethod(InetAddress.class, "getByName", String.class);

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.penstock.push.(*)..").should().beFreeOfCycles();
}
