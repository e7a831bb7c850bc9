import { isIP, type LookupFunction } from 'node:net'
import { ToolError } from '@toolglot/agent'
import { sameForm } from '@toolglot/permissions/internal'
import { Agent, buildConnector } from 'undici'

/** Connects to these addresses and to no other, whatever a name leads to by then. To be destroyed. */
export function agentForAddresses(addresses: readonly string[]): Agent {
  const checked = new Set(addresses.map(sameForm))
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
  // undici hands what it does not know on to the socket.
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT,
    autoSelectFamily: true,
  } as buildConnector.BuildOptions)
  return new Agent({
    connect: (options, callback) => {
      // An address is not looked up, so that it must be looked at here.
      const { hostname } = options
      if (isIP(hostname) !== 0 && !checked.has(sameForm(hostname))) {
        callback(uncheckedError(hostname), null)
        return
      }
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null)
        const { remoteAddress: address = hostname } = socket
        if (checked.has(sameForm(address))) return callback(null, socket)
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
  return new ToolError('permission_denied', `${address} was not checked: nothing was sent to it.`, {
    code: 'unchecked_address',
  })
}
