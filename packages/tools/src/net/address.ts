/**
 * What an IP address leads to.
 *
 * ADDRESS-1. Only what is known to be public is public: an address that cannot be read, or that belongs to no public range, is not. Forms of IPv6 that hold
 *            an IPv4 address (mapped, 6to4, Teredo, NAT64) are never public, whatever they hold: they lead to places that the address does not show.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** What kind of place an address leads to. */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'unique-local'
  | 'link-local'
  | 'multicast'
  | 'unspecified'
  | 'documentation'
  | 'translated'
  | 'reserved'
  | 'unreadable'

/** A range: the bits that all its addresses begin with. */
interface Range {
  readonly bits: string
  readonly kind: AddressKind
}

const range4 = (network: string, length: number, kind: AddressKind): Range => ({ bits: bitsOf4(network).slice(0, length), kind })
const range6 = (network: string, length: number, kind: AddressKind): Range => ({ bits: bitsOf6(network).slice(0, length), kind })

function bitsOf4(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
}

function bitsOf6(address: string): string {
  return groupsOf(address)
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('')
}

/** The eight groups of an IPv6 address that Node has found valid. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::')
  const before = groupsIn(head)
  if (tail === undefined) return before
  const after = groupsIn(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

function groupsIn(text: string): readonly number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const bits = bitsOf4(group)
    return [Number.parseInt(bits.slice(0, 16), 2), Number.parseInt(bits.slice(16), 2)]
  })
}

/** The ranges of IPv4 that are not public (IANA's registry of special addresses). The narrower stand first. */
const ranges4 = (): readonly Range[] => [
  range4('0.0.0.0', 8, 'unspecified'),
  range4('10.0.0.0', 8, 'private'),
  range4('100.64.0.0', 10, 'shared'),
  range4('127.0.0.0', 8, 'loopback'),
  range4('169.254.0.0', 16, 'link-local'),
  range4('172.16.0.0', 12, 'private'),
  range4('192.0.0.0', 24, 'reserved'),
  range4('192.0.2.0', 24, 'documentation'),
  range4('192.88.99.0', 24, 'translated'),
  range4('192.168.0.0', 16, 'private'),
  range4('198.18.0.0', 15, 'reserved'),
  range4('198.51.100.0', 24, 'documentation'),
  range4('203.0.113.0', 24, 'documentation'),
  range4('224.0.0.0', 4, 'multicast'),
  range4('240.0.0.0', 4, 'reserved'),
  // A cloud's own service on a public address: it gives credentials to every program inside.
  range4('168.63.129.16', 32, 'link-local'),
]

/** The ranges of IPv6; what none of them names is reserved. The narrower stand first. */
const ranges6 = (): readonly Range[] => [
  range6('::', 128, 'unspecified'),
  range6('::1', 128, 'loopback'),
  range6('::', 80, 'translated'),
  range6('64:ff9b::', 32, 'translated'),
  range6('fc00::', 7, 'unique-local'),
  range6('fe80::', 10, 'link-local'),
  range6('fec0::', 10, 'private'),
  range6('ff00::', 8, 'multicast'),
  range6('2001:db8::', 32, 'documentation'),
  range6('3fff::', 20, 'documentation'),
  range6('2001::', 32, 'translated'),
  range6('2001::', 23, 'reserved'),
  range6('2002::', 16, 'translated'),
  range6('2000::', 3, 'public'),
]

let known: { readonly four: readonly Range[]; readonly six: readonly Range[] } | undefined

/** What kind of place an address leads to. A zone, as in `fe80::1%eth0`, and everything else that is no plain address is `unreadable`. */
export function addressKind(address: string): AddressKind {
  known ??= { four: ranges4(), six: ranges6() }
  if (isIPv4(address)) {
    const bits = bitsOf4(address)
    return known.four.find((range) => bits.startsWith(range.bits))?.kind ?? 'public'
  }
  if (!isIPv6(address) || address.includes('%')) return 'unreadable'
  const bits = bitsOf6(address)
  return known.six.find((range) => bits.startsWith(range.bits))?.kind ?? 'reserved'
}

/** The kinds that a host may lead to when it is allowed by its name: this machine, and the networks that it is in. */
const local: ReadonlySet<AddressKind> = new Set(['loopback', 'private', 'shared', 'unique-local'])

/** Whether a host that is allowed by its name may lead there. Services of the platform, which give out credentials, it may not reach. */
export const isLocal = (kind: AddressKind): boolean => local.has(kind)
