import ipaddr from 'ipaddr.js'

/** The reason why an IP address is not on the public internet, or undefined if it is. */
export function notPublic(address: string): string | undefined {
  // A zone names a network interface of this machine.
  if (address.includes('%') || !ipaddr.isValid(address))
    return `${address} is not a valid IP address`
  const parsed = ipaddr.parse(address)
  return parsed.kind() === 'ipv4'
    ? notPublicIpv4(parsed as ipaddr.IPv4)
    : notPublicIpv6(parsed as ipaddr.IPv6)
}

/** The canonical form of an IP address. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function notPublicIpv4(address: ipaddr.IPv4): string | undefined {
  const text = address.toString()
  if (METADATA.has(text)) return `${text} is a cloud metadata service, which reveals credentials`
  const range = address.range()
  return range === 'unicast' ? undefined : `${text} is ${NAMES[range] ?? 'reserved'}`
}

function notPublicIpv6(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray()
  const four = (from: number): string | undefined =>
    notPublicIpv4(new ipaddr.IPv4(bytes.slice(from, from + 4)))
  if (startsWith(bytes, MAPPED) || startsWith(bytes, TRANSLATED)) return four(12)
  const range = address.range()
  // In IPv6, only `2000::/3` is globally reachable.
  const isGlobal = (bytes[0]! & 0xe0) === 0x20
  if (range !== 'unicast' || !isGlobal)
    return `${address.toString()} is ${NAMES[range] ?? 'reserved'}`
  // ISATAP: the last four bytes are an IPv4 address.
  const carries =
    (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  return carries ? four(12) : undefined
}

/** `::ffff:0:0/96` and `64:ff9b::/96` contain an IPv4 address, which is the one to check. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const TRANSLATED = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

function startsWith(bytes: readonly number[], start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** Metadata services of cloud providers. Some of their addresses look public. */
const METADATA: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '169.254.169.254',
  '100.100.100.200',
])

const NAMES: Readonly<Record<string, string>> = {
  unspecified: 'this machine',
  loopback: 'this machine',
  private: 'in a private network',
  uniqueLocal: 'in a private network',
  linkLocal: 'link-local',
  carrierGradeNat: "in a carrier's private network",
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
}

/** True if a host name is reserved for local networks, whatever DNS returns for it. */
export function isLocalName(host: string): boolean {
  return LOCAL.has(host) || LOCAL_ENDS.some((end) => host.endsWith(end))
}

const LOCAL: ReadonlySet<string> = new Set([
  'localhost',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'local',
  'internal',
  'metadata',
  'metadata.goog',
  'instance-data',
])
const LOCAL_ENDS = [
  '.localhost',
  '.localdomain',
  '.localdomain6',
  '.local',
  '.internal',
  '.home.arpa',
]
