import { spawn } from 'node:child_process'

/** Runs shell commands one by one, each in a separate subshell, and separates their outputs. */
const DRIVER = String.raw`PATH=/nowhere
while IFS= read -r -d '' text <&3; do
  (eval "$text") 3<&- 2>/dev/null </dev/null
  printf '\0%d\0' $?
done`

/** A bash process that runs many shell commands, which is much faster than one process for each. */
export class Shell {
  readonly #bash
  #printed = ''
  #waiting: (() => void) | undefined

  constructor(cwd: string) {
    this.#bash = spawn('bash', ['--noprofile', '--norc', '-c', DRIVER], {
      cwd,
      env: { LANG: 'C.UTF-8', PATH: process.env['PATH'], HOME: cwd },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    this.#bash.stdout?.setEncoding('latin1').on('data', (data: string) => {
      this.#printed += data
      this.#waiting?.()
    })
  }

  /**
   * Returns the output and the exit code of a shell command. Messages of the shell contain line
   * numbers, so only their presence is kept.
   */
  async run(text: string): Promise<{ readonly stdout: string; readonly code: number }> {
    const texts = this.#bash.stdio[3] as NodeJS.WritableStream
    texts.write(`${text}\0`)
    for (;;) {
      const found = /^([^\0]*)\0(\d+)\0/.exec(this.#printed)
      if (found) {
        this.#printed = this.#printed.slice(found[0].length)
        const stdout = found[1]!.replace(/bash: line \d+: .*/g, 'bash: …')
        return { stdout, code: Number(found[2]) }
      }
      await new Promise<void>((resolve) => (this.#waiting = resolve))
    }
  }

  stop(): void {
    this.#bash.kill('SIGKILL')
  }
}
