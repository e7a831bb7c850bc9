import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The recorded traffic between an agent and the gateway. */
export interface Traffic {
  /** The address that agents use as the gateway. */
  readonly url: string
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

/** A request, and the response to it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly request: string
  readonly status: number
  readonly response: string
}

/** Starts a proxy in front of a server. */
export async function recordTraffic(target: string): Promise<Traffic> {
  const exchanges: Exchange[] = []
  const { port: targetPort, hostname } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const sent: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => sent.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const host = `${hostname}:${targetPort}`
      const onward = ask(
        { hostname, port: targetPort, method, path: url, headers: { ...headers, host } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          const got: Buffer[] = []
          answer.on('data', (chunk: Buffer) => {
            got.push(chunk)
            outgoing.write(chunk)
          })
          answer.on('end', () => {
            outgoing.end()
            exchanges.push({
              method,
              path: new URL(url, target).pathname,
              request: Buffer.concat(sent).toString(),
              status: answer.statusCode ?? 0,
              response: Buffer.concat(got).toString(),
            })
          })
          answer.on('error', () => outgoing.destroy())
        },
      )
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      onward.end(Buffer.concat(sent))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
