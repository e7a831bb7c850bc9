import { Console } from 'node:console'
import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { start } from './program.ts'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of our output has exited, as `head` does.
    if (error.code === 'EPIPE') process.exit()
    // The terminal was closed. SIGHUP follows, and starts an orderly shutdown.
    if (error.code === 'EIO') return
    throw error
  })
}

// Users' own tools may log to the console. Standard output is for answers that programs read: JSON,
// and messages of MCP.
globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr })

process.exitCode = await start(process.argv.slice(2), {
  input: process.stdin,
  // A pipe, a file or a socket may contain input; a keyboard or /dev/null does not.
  hasInput: !process.stdin.isTTY && !inputIsDevice(),
  output: process.stdout,
  errors: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  // Ask only a user who can see the question's context.
  ask: process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY ? ask : undefined,
})

/**
 * With numbers instead of bigints, the result for a pipe would stay in a buffer from which Node's
 * module loader reads links: packages that are imported later would be loaded a second time, under
 * the path of a link.
 */
function inputIsDevice(): boolean {
  return fstatSync(0, { bigint: true }).isCharacterDevice()
}

async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Closed without an answer (Ctrl-D).
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  const close = (): void => lines.close()
  // While readline reads, Ctrl-C sends no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  signal?.addEventListener('abort', close, { once: true })
  try {
    return await Promise.race([lines.question(question), closed])
  } finally {
    signal?.removeEventListener('abort', close)
    lines.close()
  }
}
