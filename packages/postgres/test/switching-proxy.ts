import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * An address that can switch to another server, like a primary server's address after a failover.
 */
export interface SwitchingProxy {
  readonly url: string
  /** Cuts all connections. New ones go to this address or, without an address, fail. */
  switchTo(url: string | undefined): void
}

/** Starts a proxy in front of a Postgres. */
export async function startProxy(url: string): Promise<SwitchingProxy> {
  let target: string | undefined = url
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (target === undefined) return client.destroy()
    const { hostname, port } = new URL(target)
    const there = connect(Number(port), hostname)
    for (const each of [client, there]) {
      sockets.add(each)
      each.on('error', () => {})
    }
    client.pipe(there).pipe(client)
    client.on('close', () => there.destroy())
    there.on('close', () => client.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const each of sockets) each.destroy()
    sockets.clear()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = new URL(url)
  address.port = String((server.address() as { port: number }).port)
  return {
    url: address.href,
    switchTo(next) {
      target = next
      cut()
    },
  }
}
