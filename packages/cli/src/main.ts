import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { start } from './program.ts'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read our output has gone, as `head` does: nothing is left to say.
    if (error.code === 'EPIPE') process.exit()
    // The terminal was closed, which SIGHUP says too: what runs is ended in order.
    if (error.code === 'EIO') return
    throw error
  })
}

process.exitCode = await start(process.argv.slice(2), {
  input: process.stdin,
  // A keyboard and /dev/null have no reply to read; a pipe, a file and a socket may.
  hasInput: !process.stdin.isTTY && !fstatSync(0).isCharacterDevice(),
  output: process.stdout,
  errors: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  // Who is asked must have seen what it is about.
  ...(process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY && { ask }),
})

async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Without an answer (Ctrl-D) it is none.
  const over = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  const close = (): void => lines.close()
  // While it reads, Ctrl-C is a key like any other.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  signal?.addEventListener('abort', close, { once: true })
  try {
    return await Promise.race([lines.question(question), over])
  } finally {
    signal?.removeEventListener('abort', close)
    lines.close()
  }
}
