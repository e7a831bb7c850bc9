import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Check, check } from './check.ts'

/** Checks of Bash, BashOutput and KillShell. */
export const bash: readonly Check[] = [
  check('T1.6', 'Bash: output and exit code', async ({ result }) => {
    const command = 'echo out; echo err >&2; exit 3'
    const { stdout, stderr, exit_code } = await result('Bash', { command })
    deepEqual({ stdout, stderr, exit_code }, { stdout: 'out\n', stderr: 'err\n', exit_code: 3 })
  }),

  check('T1.6', 'Bash: a command is stopped at its timeout', async ({ result }) => {
    const length = uniqueDuration()
    const { timed_out, exit_code } = await result('Bash', {
      command: `echo begun; sleep ${length}`,
      timeout: 500,
    })
    equal(timed_out, true)
    equal(exit_code, 124)
    await waitUntilGone(length)
  }),

  check(
    'T1.6',
    'Bash: a command is stopped when its call is aborted',
    async ({ call, path, result }) => {
      const length = uniqueDuration()
      const stop = new AbortController()
      const running = call('Bash', { command: `touch begun; sleep ${length}` }, stop.signal)
      let isOver = false
      // On some targets an aborted call has no result.
      const over = running.then(
        () => (isOver = true),
        () => (isOver = true),
      )
      while (
        !isOver &&
        (await result('Glob', { pattern: 'begun', path: path('.') }))['count'] === 0
      )
        await pause(50)
      ok(!isOver, 'The command ended by itself instead of running until it was stopped.')
      stop.abort()
      await over
      await waitUntilGone(length)
    },
  ),

  check(
    'T1.6',
    'Bash: the next call starts in the folder where the last command ended',
    async (context) => {
      const { path, put, result } = context
      await put('stay/here.txt', 'here\n')
      await result('Bash', { command: 'cd stay' })
      equal((await result('Bash', { command: 'pwd' }))['stdout'], `${path('stay')}\n`)
      equal((await result('Read', { file_path: 'here.txt' }))['content'], '     1\there')
    },
  ),

  check('T1.6', 'Bash: a background command is read and stopped', async ({ result }) => {
    const length = uniqueDuration()
    const command = `echo begun; sleep ${length}`
    const { task_id } = await result('Bash', { command, run_in_background: true })
    const { output, status } = await result('BashOutput', {
      task_id,
      wait_ms: 30_000,
      filter: 'begun',
    })
    match(String(output), /^begun/)
    equal(status, 'running')
    await result('KillShell', { task_id })
    await waitUntilGone(length)
  }),
]

/** A number of seconds that no other process sleeps for. */
function uniqueDuration(): string {
  return `${600 + Math.random()}`
}

/** Waits generously, for slow machines. */
async function waitUntilGone(length: string): Promise<void> {
  for (let tries = 0; tries < 200 && isSleeping(length); tries++) await pause(50)
  ok(!isSleeping(length), `The command should have ended, but sleep ${length} is still running.`)
}

function isSleeping(length: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`sleep ${length}`)
}
