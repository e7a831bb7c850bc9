import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'

const LOOPBACK = ['127.0.0.1', '::1']

/** The addresses of a server. */
export interface Addresses {
  readonly addresses: readonly string[]
  /** True if only this machine can reach them. */
  readonly isLoopback: boolean
}

/**
 * The addresses of a host. Default: both loopback addresses of this machine. Throws a UserError if
 * the host is ambiguous.
 */
export function addressesOf(host: string | undefined, everywhere = false): Addresses {
  if (host === undefined || host === 'localhost') return { addresses: LOOPBACK, isLoopback: true }

  const address = canonical(host)
  if (address === undefined) {
    throw new UserError(
      'usage',
      `Cannot listen on ${quote(host)}: a name can mean any address. Use an IP address or localhost`,
    )
  }
  if ((address === '0.0.0.0' || address === '::') && !everywhere) {
    throw new UserError(
      'usage',
      `${address} is every network of this machine. Choose one address; in a container, allow it with dangerouslyListenEverywhere, or with --dangerously-listen-everywhere for the command`,
    )
  }
  const isLoopback = loopback.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return { addresses: [address], isLoopback }
}

/**
 * The error codes for addresses that a machine does not have, such as IPv6 ones on a machine
 * without IPv6.
 */
export const ABSENT: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** The error for an address that this machine does not have. */
export function absentAddress(address: string, code: string): UserError {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const usable = own.map((each) => each.address).filter((each) => !each.startsWith('fe80:'))
  return new UserError(
    'usage',
    `This machine has no address ${address} (${code}). Choose one of its own: ${usable.slice(0, 5).join(', ')}`,
  )
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * The canonical form of an address; undefined for names, zones, and IPv4 addresses in IPv6 form.
 */
function canonical(host: string): string | undefined {
  if (isIP(host) === 4) return host
  if (isIP(host) !== 6 || host.includes('%')) return undefined
  const address = new URL(`http://[${host}]`).hostname.slice(1, -1)
  return address.startsWith('::ffff:') ? undefined : address
}
