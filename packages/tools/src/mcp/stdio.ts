import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

export interface StdioOptions {
  readonly input: Readable
  readonly output: Writable
  /** Ends it; it ends by itself when the input does. */
  readonly signal: AbortSignal
  readonly onError?: (error: Error) => void
}

/** Serves MCP to the one who started this process, until it is over. */
export async function serveStdio(
  servers: McpServerFactory,
  { input, output, signal, onError = () => {} }: StdioOptions,
): Promise<void> {
  const transport = new StdioServerTransport(input, output)
  const serving = serve(servers, { transport, onerror: onError })
  const { onclose } = transport
  await new Promise<void>((resolve) => {
    // The input ended, the output broke, or a message was longer than can be.
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await serving.close()
}
