/**
 * Addresses that no tool may reach, each in a spelling that some program has let through. {port} stands for the port of a server on this machine that
 * must not be asked.
 */

const loopback4 = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.000.000.001', '127.0.0.1.', '127.1.', '127.255.255.254', '127.0.0.2', '127.127.127.127'],
  ...['2130706433', '2130706433.', '0x7f000001', '0x7F000001', '0X7f000001', '017700000001', '0177.0.0.1', '0177.0.0.01', '00177.0.0.1'],
  ...['0x7f.0.0.1', '0x7f.1', '0x7f.0x0.0x0.0x1', '0x7f.0.1', '127.0x1', '127.0x000001', '127.0.0x0.01', '0177.1', '0x7f.0.0.01'],
  ...['0', '0.0.0.0', '0x0', '00', '0.0', '0.0.0', '0.1.2.3', '0000.0.0.0', '127.0.0.0x1', '3232235777', '0xc0a80101', '0xa9fea9fe', '2852039166'],
  ...['4294967295', '0300.0250.0.1', '0251.0376.0251.0376', '169.254.43518', '192.168.257', '10.1', '0xA.1', '012.0.0.1'],
]

const notPublic4 = [
  ...['10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '100.100.100.200', '169.254.0.1', '169.254.169.254', '169.254.170.2'],
  ...['172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
]

const notPublic6 = [
  ...['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0001', '0::1', '::', '0:0:0:0:0:0:0:0', '::0'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:127.0.0.1', '0:0:0:0:0:ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  ...['::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '64:ff9b::8.8.8.8'],
  ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1', '2001::1', '2001:0:7f00:1::', '2001:0:53aa:64c:0:fffe:80ff:fffe', '2001:db8::1'],
  ...['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff05::1:3', '100::1', '5f00::1', '3fff::1'],
  ...['2001:10::1', '2001:20::1', '2001:2::1', '4000::1', '1::', '8000::1'],
]

const whole = [
  // Userinfo, and what looks like it.
  ...[
    'http://example.com@127.0.0.1:{port}/',
    'http://user:pass@127.0.0.1:{port}/',
    'http://127.0.0.1:{port}@example.com/',
    'http://@127.0.0.1:{port}/',
  ],
  ...['http://example.com%40127.0.0.1:{port}/', 'http://a@b@127.0.0.1:{port}/', 'https://public.test:443@127.0.0.1:{port}/'],
  // Backslashes, missing and additional slashes.
  ...['http:\\\\127.0.0.1:{port}/', 'http:/127.0.0.1:{port}/', 'http:127.0.0.1:{port}/', 'http:///127.0.0.1:{port}/', 'http://\\127.0.0.1:{port}/'],
  ...[
    'http://public.test\\@127.0.0.1:{port}/',
    'http://127.0.0.1:{port}\\@public.test/',
    '//127.0.0.1:{port}/',
    '\\\\127.0.0.1:{port}\\',
    '127.0.0.1:{port}',
  ],
  // Characters that parsers drop.
  ...[
    'http://127.0.0.1\t:{port}/',
    'http://127.0\n.0.1:{port}/',
    'ht\ntp://127.0.0.1:{port}/',
    ' http://127.0.0.1:{port}/',
    'http://127.0.0.1:{port}/ ',
  ],
  ...[
    '\u0000http://127.0.0.1:{port}/',
    'http://public.test\u0000@127.0.0.1:{port}/',
    'http://public.test%00.127.0.0.1:{port}/',
    'http://127.0.0.1\u0000:{port}/',
  ],
  ...[
    'http://\u200b127.0.0.1:{port}/',
    'http://127.0.0.1\u00ad:{port}/',
    '\ufeffhttp://127.0.0.1:{port}/',
    'http://local\u200dhost:{port}/',
    'http://\r\n127.0.0.1:{port}/',
  ],
  // Percent signs in the host.
  ...[
    'http://%31%32%37.0.0.1:{port}/',
    'http://127%2e0%2e0%2e1:{port}/',
    'http://local%68ost:{port}/',
    'http://%6c%6f%63alhost:{port}/',
    'http://%00127.0.0.1:{port}/',
  ],
  // Letters and digits that become others.
  ...[
    'http://１２７.0.0.1:{port}/',
    'http://127。0。0。1:{port}/',
    'http://127．0．0．1:{port}/',
    'http://①②⑦.⓪.⓪.①:{port}/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/',
  ],
  ...[
    'http://ｌｏｃａｌｈｏｓｔ:{port}/',
    'http://LOCALHOST:{port}/',
    'http://lOcAlHoSt:{port}/',
    'http://localhoſt:{port}/',
    'http://127.0.0。1:{port}/',
    'http://𝟏𝟐𝟕.0.0.1:{port}/',
  ],
  // Zones.
  ...[
    'http://[fe80::1%25lo]:{port}/',
    'http://[fe80::1%lo]:{port}/',
    'http://[::1%25lo]:{port}/',
    'http://[::1%2525lo]:{port}/',
    'http://[::1]%25lo:{port}/',
  ],
  // Names of this machine.
  ...[
    'http://localhost:{port}/',
    'http://localhost.:{port}/',
    'http://a.localhost:{port}/',
    'http://localhost..:{port}/',
    'http://.localhost:{port}/',
    'http://ip6-localhost:{port}/',
  ],
  ...['http://intranet:{port}/', 'http://metadata:{port}/', 'http://kubernetes:{port}/'],
  // Other protocols.
  ...[
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'ftp://127.0.0.1:{port}/',
    'gopher://127.0.0.1:{port}/_x',
    'ws://127.0.0.1:{port}/',
    'data:text/plain,x',
  ],
  ...[
    'javascript:1',
    'blob:http://127.0.0.1:{port}/x',
    'view-source:http://127.0.0.1:{port}/',
    'dict://127.0.0.1:{port}/',
    'ldap://127.0.0.1:{port}/',
    'unix:/tmp/s',
    'jar:http://127.0.0.1:{port}/!/',
  ],
  // Ports, and what is no address at all.
  ...[
    'http://127.0.0.1:0/',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1:{port}{port}/',
    'http://:{port}/',
    'http://',
    '',
    'http://[::1',
    'http://[127.0.0.1]:{port}/',
    'http://256.0.0.1/',
  ],
]

/** Names, and what a look-up of each of them finds. */
export const names: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1.nip.io': ['127.0.0.1'],
  '7f000001.nip.io': ['127.0.0.1'],
  'localtest.me': ['127.0.0.1'],
  'a.lvh.me': ['127.0.0.1'],
  'six.test': ['::1'],
  'zero.test': ['0.0.0.0'],
  'zero6.test': ['::'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'mapped-hex.test': ['::ffff:7f00:1'],
  'metadata.google.internal': ['169.254.169.254'],
  'private.test': ['10.1.2.3'],
  'home.test': ['192.168.1.1'],
  'shared.test': ['100.64.1.1'],
  'ula.test': ['fd12:3456::1'],
  'link.test': ['fe80::1'],
  'zone.test': ['fe80::1%lo'],
  'zone-loopback.test': ['::1%lo'],
  'six-to-four.test': ['2002:7f00:1::'],
  'teredo.test': ['2001:0:7f00:1::'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'first-public.test': ['93.184.216.34', '127.0.0.1'],
  'last-public.test': ['127.0.0.1', '93.184.216.34'],
  'both-families.test': ['2606:2800:220:1::1', '::1'],
  'one-of-many.test': [...Array.from({ length: 20 }, (_, index) => `93.184.216.${index + 1}`), '10.0.0.1'],
  'endless.test': Array.from({ length: 5000 }, () => '93.184.216.34'),
  'no-address.test': ['localhost'],
  'words.test': ['127.0.0.1 '],
  'octal.test': ['0177.0.0.1'],
  'decimal.test': ['2130706433'],
  'empty.test': [],
}

/** All addresses, for a server on this port. */
export function forbiddenUrls(port: number): readonly string[] {
  const hosts = [...loopback4, ...notPublic4, ...notPublic6.map((address) => `[${address}]`), ...Object.keys(names)]
  return [...hosts.map((host) => `http://${host}:{port}/`), ...whole].map((url) => url.replaceAll('{port}', String(port)))
}
