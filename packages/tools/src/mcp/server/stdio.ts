import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { unambiguousLines } from './ambiguous.ts'

/** Options for `serveStdio`. */
export interface StdioOptions {
  readonly input: Readable
  readonly output: Writable
  /** Stops serving. It also stops at the end of the input. */
  readonly signal: AbortSignal
  readonly onError?: ((error: Error) => void) | undefined
}

/** Serves MCP over standard input and output, until the input ends or the signal aborts. */
export async function serveStdio(
  servers: McpServerFactory,
  { input, output, signal, onError = () => {} }: StdioOptions,
): Promise<void> {
  const lines = unambiguousLines(({ problem, answer }) => {
    if (answer) output.write(`${JSON.stringify(answer)}\n`)
    else onError(new Error(problem))
  })
  input.on('error', (error) => lines.destroy(error))
  if (input.readableEnded || input.destroyed) lines.end()
  const transport = new StdioServerTransport(input.pipe(lines), output)
  const serving = serve(servers, { transport, onerror: onError })
  const { onclose } = transport
  await new Promise<void>((resolve) => {
    // The input ended, the output broke, or a message was too long.
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await serving.close()
  // Stop reading.
  input.unpipe(lines)
  input.pause()
}
