// A process of the benchmark, and its messages to the parent.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @typedef {{ port: number, token?: string, slow?: string }} Started */

/**
 * Sends this process's address to the parent and, on request, its memory use.
 *
 * @param {Started} started
 */
export function tell(started) {
  process.on('message', () => process.send?.({ memory: process.memoryUsage().rss }))
  process.on('disconnect', () => process.exit())
  process.send?.(started)
}

/**
 * Listens on loopback, and sends the address to the parent.
 *
 * @param {import('node:http').Server} server
 */
export function listen(server) {
  // Keeps connections open between two rounds.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address) tell({ port: address.port })
  })
}

/**
 * Starts a file of this folder as a process.
 *
 * @param {string} file
 * @param {string[]} words
 */
export async function start(file, ...words) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), words)
  const [started] = /** @type {[Started]} */ (await once(child, 'message'))
  return {
    ...started,
    /** The memory it uses, in bytes. */
    async memory() {
      child.send('memory')
      const [{ memory }] = await once(child, 'message')
      return Number(memory)
    },
    stop: () => child.disconnect(),
  }
}
