import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { start } from '../src/program.ts'

export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly errors: string
  /** The questions to the user. */
  readonly questions?: readonly string[]
}

export interface StartOptions {
  readonly input?: string | Uint8Array
  readonly env?: Record<string, string>
  readonly cwd?: string
  /**
   * The user's answer to every question, or to each in turn. Without it, there is no user to ask.
   */
  readonly answer?: string | readonly string[]
}

/** Folders without settings. */
const [nowhere, nobody] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'toolglot-'))) as [
  string,
  string,
]
process.on('exit', () => {
  for (const folder of [nowhere, nobody]) rmSync(folder, { recursive: true, force: true })
})

/** Runs a command line in this process. Without `input`, nothing is piped in. */
export async function startCommand(
  words: readonly string[],
  { input, env = {}, cwd = nowhere, answer }: StartOptions = {},
): Promise<CommandResult> {
  const output = collector()
  const left = typeof answer === 'object' ? [...answer] : undefined
  const errors = collector()
  const questions: string[] = []
  const code = await start(words, {
    input: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    hasInput: input !== undefined,
    output: output.stream,
    errors: errors.stream,
    env: { HOME: nobody, ...env },
    cwd,
    ...(answer !== undefined && {
      async ask(question: string) {
        questions.push(question)
        return typeof answer === 'string' ? answer : left!.shift()
      },
    }),
  })
  return { code, output: output.text(), errors: errors.text(), questions }
}

function collector(): { stream: PassThrough; text(): string } {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
