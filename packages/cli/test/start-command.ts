import { PassThrough, Readable } from 'node:stream'
import { start } from '../src/program.ts'

export interface Outcome {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs a command line inside this process. Without `input`, nothing is piped in. */
export async function startCommand(
  words: readonly string[],
  { input, env = {} }: { input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const output = collector()
  const errors = collector()
  const code = await start(words, {
    input: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    hasInput: input !== undefined,
    output: output.stream,
    errors: errors.stream,
    env,
  })
  return { code, output: output.text(), errors: errors.text() }
}

function collector(): { stream: PassThrough; text(): string } {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
