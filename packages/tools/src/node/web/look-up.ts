import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

/** Every address of a host, as programs on this machine find it. */
export type LookUp = (host: string) => Promise<readonly string[]>

export const lookUp: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** The addresses of this machine. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  )
}
