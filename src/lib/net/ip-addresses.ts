/** Classification of IP addresses: public or not, and the network of a client. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Special-purpose IPv4 ranges of IANA: private, loopback, link-local, shared, documentation, multicast, reserved. */
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

/** Global unicast range of IPv6; loopback, local, mapped and translated addresses lie outside. */
const global6 = ['2000::/3'];
/** Special-purpose ranges inside it: protocol assignments such as Teredo, documentation, and 6to4, which embeds an IPv4 address. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const [private4, public6, private6] = [
  createBlockList(special4, 'ipv4'),
  createBlockList(global6, 'ipv6'),
  createBlockList(special6, 'ipv6'),
];

export function isPublicIpAddress(address: string): boolean {
  if (isIPv4(address)) return !private4.check(address);
  // A zone, as in fe80::1%eth0, exists on local links only.
  if (!isIPv6(address) || address.includes('%')) return false;
  return public6.check(address, 'ipv6') && !private6.check(address, 'ipv6');
}

function createBlockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Network of a client for rate limits: the IPv4 address, or the IPv6 /64, which one household or server typically has. */
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
