import ipaddr from 'ipaddr.js'

/** Why a machine at this address must not be connected to, if so: it is not on the open internet. */
export function notPublic(address: string): string | undefined {
  // An address with a zone names a cable of this machine.
  if (address.includes('%') || !ipaddr.isValid(address)) return `${address} is no address`
  const parsed = ipaddr.parse(address)
  return parsed.kind() === 'ipv4'
    ? notPublicIpv4(parsed as ipaddr.IPv4)
    : notPublicIpv6(parsed as ipaddr.IPv6)
}

/** The same address in one form, however it is written. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function notPublicIpv4(address: ipaddr.IPv4): string | undefined {
  const text = address.toString()
  if (METADATA.has(text)) return `${text} tells the secrets of a machine in the cloud`
  const range = address.range()
  return range === 'unicast' ? undefined : `${text} is ${NAMES[range] ?? 'reserved'}`
}

function notPublicIpv6(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray()
  const four = (from: number): string | undefined =>
    notPublicIpv4(new ipaddr.IPv4(bytes.slice(from, from + 4)))
  if (startsWith(bytes, MAPPED) || startsWith(bytes, TRANSLATED)) return four(12)
  const range = address.range()
  // Of IPv6 only `2000::/3` is given out to be reached from everywhere.
  const isGlobal = (bytes[0]! & 0xe0) === 0x20
  if (range !== 'unicast' || !isGlobal)
    return `${address.toString()} is ${NAMES[range] ?? 'reserved'}`
  // An IPv4 address carried at the end: ISATAP.
  const carries =
    (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  return carries ? four(12) : undefined
}

/** `::ffff:0:0/96` and `64:ff9b::/96`: the internet of IPv4, so the address inside says where it leads. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const TRANSLATED = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

function startsWith(bytes: readonly number[], start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** Public in form, yet answered by the machine's own host. */
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
  linkLocal: 'in the network at the next cable',
  carrierGradeNat: "in a provider's own network",
  multicast: 'a group of machines',
  broadcast: 'every machine near',
}

/** Names that never lead to the open internet, whatever they are looked up as. */
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
