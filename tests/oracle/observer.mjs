import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CALLS, readTrace } from './trace.mjs'
import { HOME, SECRETS, WORKSPACE } from './workspace.mjs'

const FOLDER = '/dev/oracle'
const [LOG, PRINTED] = [join(FOLDER, 'trace'), join(FOLDER, 'printed')]
const DRIVER = join(dirname(fileURLToPath(import.meta.url)), 'driver.sh')
const OPTIONS = ['-f', '-y', '-qq', '-A', '--seccomp-bpf', '-s', '4096', '-e', 'signal=none']

/**
 * Runs shell commands, and reports their system calls and their output. One strace process traces
 * all of them, because it takes longer to start than most commands run. It needs a separate process
 * namespace, in which every process left over at the end of a command belongs to that command.
 * These processes have a second to end on their own, and have all ended before the trace is read
 * and emptied, so that it covers only one command.
 */
export class Observer {
  #shell

  /**
   * The effects of a shell command. If the shell or strace ends, both are restarted once for this
   * command.
   */
  async observe(text, { seconds = 4 } = {}) {
    for (let attempt = 0; ; attempt++) {
      this.#shell ??= await start()
      writeFileSync(PRINTED, '')
      const { lost, late } = await run(this.#shell, text, seconds)
      if (lost) await this.stop()
      // If the shell has ended, the trace still belongs to the command that ended it.
      if (lost && attempt === 0) continue
      const seen = {
        ...readTrace(readFileSync(LOG, 'utf8')),
        printed: readFileSync(PRINTED, 'latin1'),
      }
      truncateSync(LOG)
      return { ...seen, late }
    }
  }

  async stop() {
    const strace = this.#shell?.strace
    this.#shell = undefined
    if (strace && strace.exitCode === null && strace.signalCode === null) {
      strace.kill('SIGKILL')
      await once(strace, 'exit')
    }
    await endOthers([])
  }
}

async function start() {
  mkdirSync(FOLDER, { recursive: true })
  rmSync(LOG, { force: true })
  const shell = ['/bin/bash', '--noprofile', '--norc', DRIVER]
  const strace = spawn('strace', [...OPTIONS, '-e', `trace=${CALLS}`, '-o', LOG, ...shell], {
    cwd: WORKSPACE,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/usr/games',
      HOME,
      LANG: 'C.UTF-8',
      SECRET_VARIABLE: SECRETS.environment,
    },
  })
  // A missing reader is detected by the missing answer.
  strace.stdio[3].on('error', () => {})
  const answers = createInterface({ input: strace.stdio[4] })[Symbol.asyncIterator]()
  const driver = Number((await answers.next()).value)
  truncateSync(LOG)
  return { strace, answers, texts: strace.stdio[3], stay: [strace.pid, driver] }
}

async function run({ answers, texts, stay }, text, seconds) {
  let late = false
  const timer = setTimeout(() => {
    late = true
    void endOthers(stay)
  }, seconds * 1000)
  texts.write(`${text}\0`)
  const { done } = await answers.next()
  clearTimeout(timer)
  if (!done) await endOthers(stay, 1000)
  return { lost: done === true, late }
}

/**
 * Ends all processes in this namespace except the first, this one and `stay`, and waits until they
 * have ended.
 */
async function endOthers(stay, patience = 0) {
  const own = new Set([1, process.pid, ...stay])
  const start = Date.now()
  for (let wait = 0; ; wait = Math.min(wait + 1, 20)) {
    const others = readdirSync('/proc')
      .map(Number)
      .filter((id) => id > 0 && !own.has(id))
    if (others.length === 0) return
    if (Date.now() - start >= patience)
      for (const id of others)
        try {
          process.kill(id, 'SIGKILL')
        } catch {
          // The process has just ended.
        }
    if (wait > 0) await delay(wait)
  }
}
