package io.penstock.push.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.push.guard.Verdict.Refused;
import io.penstock.push.guard.Verdict.Rule;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
  private final Guard strict = new Guard(EgressPolicy.STRICT);

  private static boolean admits(Guard guard, String address) {
    return guard.refusal("host.example", List.of(InetAddress.ofLiteral(address))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("case 36: every reserved block is refused from its first address to its last")
  @CsvSource(
      textBlock =
          """
          0.0.0.0/8,        0.0.0.0,       0.255.255.255,   -,               1.0.0.0
          10.0.0.0/8,       10.0.0.0,      10.255.255.255,  9.255.255.255,   11.0.0.0
          100.64.0.0/10,    100.64.0.0,    100.127.255.255, 100.63.255.255,  100.128.0.0
          127.0.0.0/8,      127.0.0.0,     127.255.255.255, 126.255.255.255, 128.0.0.0
          168.63.129.16/32, 168.63.129.16, 168.63.129.16,   168.63.129.15,   168.63.129.17
          169.254.0.0/16,   169.254.0.0,   169.254.255.255, 169.253.255.255, 169.255.0.0
          172.16.0.0/12,    172.16.0.0,    172.31.255.255,  172.15.255.255,  172.32.0.0
          192.0.0.0/24,     192.0.0.0,     192.0.0.255,     191.255.255.255, 192.0.1.0
          192.0.2.0/24,     192.0.2.0,     192.0.2.255,     192.0.1.255,     192.0.3.0
          192.88.99.0/24,   192.88.99.0,   192.88.99.255,   192.88.98.255,   192.88.100.0
          192.168.0.0/16,   192.168.0.0,   192.168.255.255, 192.167.255.255, 192.169.0.0
          198.18.0.0/15,    198.18.0.0,    198.19.255.255,  198.17.255.255,  198.20.0.0
          198.51.100.0/24,  198.51.100.0,  198.51.100.255,  198.51.99.255,   198.51.101.0
          203.0.113.0/24,   203.0.113.0,   203.0.113.255,   203.0.112.255,   203.0.114.0
          224.0.0.0/4,      224.0.0.0,     239.255.255.255, 223.255.255.255, -
          240.0.0.0/4,      240.0.0.0,     255.255.255.255, -,               -
          ::/128,           ::,            ::,              -,               -
          ::1/128,          ::1,           ::1,             -,               -
          64:ff9b::/96,     64:ff9b::,     64:ff9b::ffff:ffff, 64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff, 64:ff9b::1:0:0
          64:ff9b:1::/48,   64:ff9b:1::,   64:ff9b:1:ffff:ffff:ffff:ffff:ffff, 64:ff9b:0:ffff:ffff:ffff:ffff:ffff, 64:ff9b:2::
          100::/64,         100::,         100::ffff:ffff:ffff:ffff, ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 100:0:0:1::
          2001::/32,        2001::,        2001:0:ffff:ffff:ffff:ffff:ffff:ffff, 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2001:1::
          2001:db8::/32,    2001:db8::,    2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db9::
          2002::/16,        2002::,        2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2003::
          3fff::/20,        3fff::,        3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff, 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 3fff:1000::
          5f00::/16,        5f00::,        5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 5f01::
          fc00::/7,         fc00::,        fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fe00::
          fe80::/10,        fe80::,        febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -
          fec0::/10,        fec0::,        feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
          ff00::/8,         ff00::,        ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
          """)
  void case36_aBlockIsRefusedWithinItsBoundsAndNotBeyond(
      String block, String first, String last, String before, String after) {
    assertThat(Cidr.parse(block).contains(Ip.of(InetAddress.ofLiteral(first)))).isTrue();
    assertThat(admits(strict, first)).as(first).isFalse();
    assertThat(admits(strict, last)).as(last).isFalse();
    for (String outside : List.of(before, after)) {
      if (!outside.equals("-")) {
        assertThat(admits(strict, outside)).as(outside).isTrue();
      }
    }
  }

  @ParameterizedTest(name = "{0} carries {1}")
  @DisplayName("case 36: IPv4 inside IPv6 is judged as what it is")
  @CsvSource({
    "::10.0.0.1, ::8.8.8.8",
    "::ffff:127.0.0.1, ::ffff:8.8.8.8",
    "::ffff:0:a00:1, ::ffff:0:808:808"
  })
  void case36_carriersAreJudgedByTheirIpv4(String refused, String allowed) {
    assertThat(admits(strict, refused)).isFalse();
    assertThat(admits(strict, allowed)).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("case 36: allowing a carrier does not allow what it carries")
  @CsvSource({
    "64:ff9b::/96, 64:ff9b::7f00:1, 64:ff9b::808:808",
    "2002::/16, 2002:7f00:1::, 2002:808:808::",
    "2001::/32, 2001::80ff:fffe, 2001::f7f7:f7f7"
  })
  void case36_anAllowedCarrierIsStillUnwrapped(String block, String refused, String allowed) {
    Guard guard = new Guard(EgressPolicy.of(List.of(block), List.of()));
    assertThat(admits(guard, refused)).isFalse();
    assertThat(admits(guard, allowed)).isTrue();
    assertThat(admits(strict, allowed)).isFalse();
  }

  @Test
  @DisplayName("case 36: one refused address among allowed ones refuses the host")
  void case36_allAddressesMustPass() {
    List<InetAddress> mixed =
        List.of(InetAddress.ofLiteral("93.184.216.34"), InetAddress.ofLiteral("10.0.0.7"));
    assertThat(strict.refusal("host.example", mixed)).isPresent();
  }

  @Test
  void theMessageSaysThatPolicyBlockedItAndWhichSettingAllowsIt() {
    Refused refused =
        strict.refusal("intra.example", List.of(InetAddress.ofLiteral("10.1.2.3"))).orElseThrow();
    assertThat(refused.rule()).isEqualTo(Rule.ADDRESS);
    assertThat(refused.message())
        .contains("policy", "intra.example", "10.1.2.3", "10.0.0.0/8", "egress.allow");
  }

  @Test
  void anAllowedBlockOpensItselfOnly() {
    Guard guard = new Guard(EgressPolicy.of(List.of("10.1.0.0/16"), List.of()));
    assertThat(admits(guard, "10.1.255.255")).isTrue();
    assertThat(admits(guard, "10.2.0.0")).isFalse();
  }

  @Test
  void anAllowedNameMayPointAnywhereButOtherNamesMayNot() {
    Guard guard = new Guard(EgressPolicy.of(List.of("Billing.Internal"), List.of()));
    List<InetAddress> inside = List.of(InetAddress.ofLiteral("10.1.2.3"));
    assertThat(guard.refusal("billing.internal", inside)).isEmpty();
    assertThat(guard.refusal("x.billing.internal", inside)).isPresent();
  }

  @Test
  void devAndDemoReachThisMachineAndNothingElseThatIsReserved() {
    Guard guard = new Guard(EgressPolicy.WITH_LOOPBACK);
    assertThat(admits(guard, "127.0.0.1")).isTrue();
    assertThat(admits(guard, "::1")).isTrue();
    assertThat(admits(guard, "10.0.0.1")).isFalse();
  }

  @ParameterizedTest
  @DisplayName("case 36: no spelling of an address slips through")
  @ValueSource(
      strings = {
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://127.1/",
        "http://127.0.1/",
        "http://0177.0.0.01/",
        "http://127.0.0.1./",
        "http://0/",
        "http://0x/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://169.254.169.254/latest/meta-data"
      })
  void case36_addressesInAnySpellingAreRefusedAtCreation(String url) {
    assertThat(strict.check(url))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.rule()).isEqualTo(Rule.ADDRESS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http:/example.com",
        "http://",
        "http:///path",
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://exa mple.com/",
        "http://example.com/a b",
        "http://example.com/\r\nX: y",
        "http://example.com/\0",
        "http://example.com/#fragment",
        "http://ex%61mple.com/",
        "http://bücher.example/",
        "http://example..com/",
        "http://.example.com/",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:/",
        "http://example.com:80:80/",
        "http://1.2.3.4.5/",
        "http://256.0.0.1/",
        "http://08.0.0.1/",
        "http://example.1/",
        "http://[::1/",
        "http://::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[127.0.0.1]/",
        "http://[::1]x/"
      })
  void whatCouldBeReadInTwoWaysIsRefused(String url) {
    assertThat(strict.check(url))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.rule()).isEqualTo(Rule.URL));
  }

  @ParameterizedTest
  @CsvSource({
    "http://Example.COM, example.com, 80, /",
    "https://example.com./a/b?c=d&e, example.com, 443, /a/b?c=d&e",
    "https://example.com?x, example.com, 443, /?x",
    "HTTP://my_service.example:8080//x, my_service.example, 8080, //x",
    "https://xn--bcher-kva.example/%C3%BC, xn--bcher-kva.example, 443, /%C3%BC",
    "http://134744072/, 8.8.8.8, 80, /",
    "http://[2606:4700::1111]:8443/, 2606:4700:0:0:0:0:0:1111, 8443, /"
  })
  void aUrlIsReadIntoItsCanonicalTarget(String url, String host, int port, String path) {
    assertThat(strict.check(url))
        .isInstanceOfSatisfying(
            Verdict.Allowed.class,
            allowed -> {
              assertThat(allowed.target().host()).isEqualTo(host);
              assertThat(allowed.target().port()).isEqualTo(port);
              assertThat(allowed.target().path()).isEqualTo(path);
            });
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    String url = "http://example.com/" + "x".repeat(UrlParser.MAX_LENGTH);
    assertThat(strict.check(url)).isInstanceOf(Refused.class);
  }

  @ParameterizedTest
  @CsvSource({"80, true", "443, true", "25, false", "22, false", "1023, false", "1024, true"})
  void onlyAllowedPortsAreDialled(int port, boolean allowed) {
    Verdict verdict = strict.check("http://example.com:" + port);
    assertThat(verdict instanceof Verdict.Allowed).isEqualTo(allowed);
    if (verdict instanceof Refused refused) {
      assertThat(refused.rule()).isEqualTo(Rule.PORT);
      assertThat(refused.message()).contains("policy", "egress.ports", Integer.toString(port));
    }
  }

  @Test
  void configuredPortsTakeThePlaceOfTheDefault() {
    Guard guard = new Guard(EgressPolicy.of(List.of(), List.of("25", "8000-8010")));
    assertThat(guard.check("http://example.com:25/")).isInstanceOf(Verdict.Allowed.class);
    assertThat(guard.check("http://example.com:8010/")).isInstanceOf(Verdict.Allowed.class);
    assertThat(guard.check("http://example.com/")).isInstanceOf(Refused.class);
  }
}
