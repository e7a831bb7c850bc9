import { isIP, type LookupFunction } from 'node:net'
import { ToolError } from '@toolglot/agent'
import { canonicalAddress } from '@toolglot/permissions/internal'
import { Agent, buildConnector } from 'undici'

/** An undici agent that connects to these addresses only, whatever a host resolves to by then. The caller destroys it. */
export function agentForAddresses(addresses: readonly string[]): Agent {
  const checked = new Set(addresses.map(canonicalAddress))
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
  // undici passes unknown options on to the socket.
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT,
    autoSelectFamily: true,
  } as buildConnector.BuildOptions)
  return new Agent({
    connect: (options, callback) => {
      // A literal address is not looked up, so it is checked here.
      const { hostname } = options
      if (isIP(hostname) !== 0 && !checked.has(canonicalAddress(hostname))) {
        callback(uncheckedError(hostname), null)
        return
      }
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null)
        const { remoteAddress: address = hostname } = socket
        if (checked.has(canonicalAddress(address))) return callback(null, socket)
        socket.destroy()
        callback(uncheckedError(address), null)
      })
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  })
}

/** In milliseconds. */
const CONNECT_TIMEOUT = 10_000

function uncheckedError(address: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${address} was not checked, so nothing was sent to it.`,
    {
      code: 'unchecked_address',
    },
  )
}
