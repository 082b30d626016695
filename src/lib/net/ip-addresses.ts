/** Which network addresses belong to the public internet. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The special-purpose registries of IANA: private, loopback, link-local, shared, documentation, multicast, reserved. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All that IPv6 has assigned to the public; loopback, local, mapped and translated addresses lie outside of it. */
const global6 = ['2000::/3'];
/** Inside it: protocol assignments such as Teredo, documentation, and 6to4, which hides an IPv4 address. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const [private4, public6, private6] = [
  listOf(special4, 'ipv4'),
  listOf(global6, 'ipv6'),
  listOf(special6, 'ipv6'),
];

export function isPublicIpAddress(address: string): boolean {
  if (isIPv4(address)) return !private4.check(address);
  // A zone, as in fe80::1%eth0, makes sense on local links only.
  if (!isIPv6(address) || address.includes('%')) return false;
  return public6.check(address, 'ipv6') && !private6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** One household or server has one IPv4 address, or one IPv6 network of 64 bits. */
export function toIpNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}
