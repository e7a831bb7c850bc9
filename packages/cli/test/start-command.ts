import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { start } from '../src/program.ts'

export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly errors: string
}

export interface StartOptions {
  readonly input?: string | Uint8Array
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** The user's answer to every question, or to each in turn. Without it, no one can be asked. */
  readonly answer?: string | readonly string[]
}

/** A folder without settings. */
const nowhere = mkdtempSync(join(tmpdir(), 'toolglot-'))
process.on('exit', () => rmSync(nowhere, { recursive: true, force: true }))

/** Runs a command line inside this process. Without `input`, nothing is piped in. */
export async function startCommand(
  words: readonly string[],
  { input, env = {}, cwd = nowhere, answer }: StartOptions = {},
): Promise<CommandResult> {
  const output = collector()
  const left = typeof answer === 'object' ? [...answer] : undefined
  const errors = collector()
  const code = await start(words, {
    input: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    hasInput: input !== undefined,
    output: output.stream,
    errors: errors.stream,
    env: { HOME: nowhere, ...env },
    cwd,
    ...(answer !== undefined && {
      ask: () => Promise.resolve(typeof answer === 'string' ? answer : left!.shift()),
    }),
  })
  return { code, output: output.text(), errors: errors.text() }
}

function collector(): { stream: PassThrough; text(): string } {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
