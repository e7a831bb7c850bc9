import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { context, lives, machine } from '../../test/machine.ts'
import { type BashArguments, bashTool, type BashResult } from './bash.ts'
import type { Host } from '../host/host.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { isLong, longTest, share } from '../../../../tests/helpers/size.ts'

async function run(
  host: Host,
  command: string,
  more: Omit<BashArguments, 'command'> = {},
): Promise<BashResult> {
  return await bashTool(host).execute({ command, ...more }, context())
}

describe('the result', () => {
  test('separates stdout, stderr and the exit code', async () => {
    const { host } = await machine()
    const result = await run(host, 'echo out; echo err >&2; exit 3')
    expect(result).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exit_code: 3,
      sandbox: 'none',
    })
    expect(bashTool(host).show!(result, { command: '' })).toBe('out\nerr\nExit code 3')
  })

  test('interprets quotes, line breaks, here-documents and comments as bash does', async () => {
    const { host } = await machine()
    const command = `cat <<'X'\nit's "$HOME"\nX\nprintf '%s|' "a b" 'c' \\\n  d # end'`
    expect((await run(host, command)).stdout).toBe(`it's "$HOME"\na b|c|d|`)
  })

  test("contains the shell's message for a syntax error", async () => {
    const { host } = await machine()
    expect(await run(host, 'for')).toMatchObject({
      exit_code: 2,
      stderr: expect.stringContaining('syntax error'),
    })
  })

  test('reports the signal that ended the command', async () => {
    const { host } = await machine()
    expect(await run(host, 'kill -9 $$')).toMatchObject({ exit_code: 137, signal: 'SIGKILL' })
  })

  test('explains an exit code that is not an error', async () => {
    const { host } = await machine()
    const result = await run(host, 'echo a | grep b')
    expect(result.exit_code).toBe(1)
    expect(bashTool(host).show!(result, { command: '' })).toBe(
      'Exit code 1: no line matches. This is not an error.',
    )
  })

  test('explains the exit code of the original command, which is also the command of a task', async () => {
    const { host } = await machine()
    const printed = { ...context(), original: 'grep -q b /dev/null' }
    const command = "'grep' '-q' 'b' '/dev/null'"
    const bash = bashTool(host)
    expect(await bash.execute({ command }, printed)).toMatchObject({
      notes: ['Exit code 1: no line matches. This is not an error.'],
    })
    await bash.execute({ command, run_in_background: true }, printed)
    expect(host.processes.tasks[0]).toMatchObject({ command: printed.original })
  })

  test('can have no output', async () => {
    const { host } = await machine()
    expect(bashTool(host).show!(await run(host, 'true'), { command: '' })).toBe('(no output)')
  })

  test('has no colors, which are kept in the log', async () => {
    const { host } = await machine({ shown: 100 })
    const result = await run(
      host,
      String.raw`for i in $(seq 100); do printf '\033[31m%s\033[0m\n' $i; done`,
    )
    expect(result.stdout).not.toContain('\u001B')
    expect(await readFile(result.output_file!, 'utf8')).toContain('\u001B[31m1\u001B[0m\n')
  })

  test('is truncated in the middle if it is long, and complete in a private file', async () => {
    const { host } = await machine()
    const count = isLong ? 200_000 : 20_000
    const result = await run(host, `seq ${count}`)
    expect(result).toMatchObject({ truncated: true, exit_code: 0 })
    expect(result.stdout.length).toBeLessThan(30_200)
    expect(result.stdout).toMatch(/^1\n2\n[^]*characters omitted; full output in [^]*\n/)
    expect(result.stdout.endsWith(`\n${count - 1}\n${count}\n`)).toBe(true)
    const all = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('')
    expect(await readFile(result.output_file!, 'utf8')).toBe(all)
    expect((await stat(result.output_file!)).mode & 0o777).toBe(0o600)
  })

  longTest('uses little memory for 200 MB of output', async () => {
    const { host } = await machine({ logged: 1 << 20 })
    const before = process.memoryUsage().rss
    await run(host, 'head -c 200000000 /dev/zero | tr "\\0" "x"')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20)
  })

  test('has a log within its maximum size', async () => {
    const { host } = await machine({ logged: 1 << 20 })
    const result = await run(host, 'head -c 5000000 /dev/zero | tr "\\0" "x"; echo; echo end')
    expect(result.stdout.endsWith('x\nend\n')).toBe(true)
    expect((await stat(result.output_file!)).size).toBe(1 << 20)
    expect(result.notes).toEqual([expect.stringContaining('The log is full')])
  })
})

describe('the environment of a command', () => {
  test('has an empty stdin', async () => {
    const { host } = await machine()
    expect((await run(host, 'read line; echo "$?"; cat')).stdout).toBe('1\n')
  })

  test('is not changed by shell startup files', async () => {
    const { host, root } = await machine()
    await writeFile(join(root, '.bashrc'), 'echo rc')
    const environment = { ...process.env, HOME: root, BASH_ENV: join(root, '.bashrc') }
    const { host: other } = await machine({ environment })
    expect((await run(other, 'echo x')).stdout).toBe('x\n')
    await host.close()
  })

  test('contains no secrets, and no program waits for the user', async () => {
    const environment = {
      PATH: process.env['PATH'],
      MY_API_KEY: 'tell-no-one',
      OTHER: 'tell-no-one-either',
    }
    const { host } = await machine({ environment })
    const { stdout } = await run(
      host,
      'env; git config --get core.pager; echo $PAGER $GIT_TERMINAL_PROMPT $TOOLGLOT',
    )
    expect(stdout).not.toContain('MY_API_KEY')
    expect(stdout).not.toContain('tell-no-one')
    expect(stdout).toContain('cat 0 1\n')
  })

  test('has free file descriptors', async () => {
    const { host, root } = await machine()
    await run(host, 'exec 3> three; echo hi >&3; cd /')
    expect(await readFile(join(root, 'three'), 'utf8')).toBe('hi\n')
  })
})

describe('the working directory', () => {
  test('cd carries over to the next command', async () => {
    const { host, root } = await machine()
    const first = await run(host, 'mkdir -p "a b/c"; cd "a b/c"; false')
    expect(first.cwd).toBe(join(root, 'a b/c'))
    expect((await run(host, 'pwd')).stdout).toBe(`${join(root, 'a b/c')}\n`)
    expect(host.fileSystem.cwd).toBe(join(root, 'a b/c'))
  })

  const leaving = ['cd /', 'cd ..', 'ln -s / out; cd out', 'cd -P /proc/self/root', 'cd /var/tmp']
  test.each(share(leaving, 2))('is reverted if %s leaves the workspace', async (command) => {
    const { host, root } = await machine()
    const result = await run(host, command)
    expect(result.cwd).toBe(root)
    expect(result.notes).toEqual([expect.stringContaining(`starts in ${root} again`)])
    expect((await run(host, 'pwd')).stdout).toBe(`${root}\n`)
  })

  const forged = [
    String.raw`printf '/\0' >&197`,
    String.raw`trap - EXIT; printf '/etc\0' >&197`,
    'PWD=/etc',
    'pwd() { echo /; }; printf() { echo /; }; builtin() { echo /; }',
    'exec 197>&-',
    'trap "" EXIT',
    'exec true',
    String.raw`head -c 100000 /dev/zero >&197`,
  ]
  test.each(share(forged, 3))('rejects a forged directory: %s', async (command) => {
    const { host, root } = await machine()
    expect((await run(host, command)).cwd).toBe(root)
  })

  test('can be deleted', async () => {
    const { host, root } = await machine()
    const result = await run(host, 'mkdir x; cd x; rmdir ../x')
    expect(result.cwd).toBe(root)
    expect(result.notes).toEqual([expect.stringContaining('does not exist')])
  })

  test('can be set for one command with cwd', async () => {
    const { host, root } = await machine()
    await mkdir(join(root, 'sub'))
    expect((await run(host, 'pwd; cd ..', { cwd: 'sub' })).stdout).toBe(`${root}/sub\n`)
    expect((await run(host, 'pwd', { cwd: join(root, 'sub') })).stdout).toBe(`${root}/sub\n`)
    expect((await run(host, 'pwd')).stdout).toBe(`${root}\n`)
  })

  test('must be inside the workspace for cwd', async () => {
    const { host, root } = await machine()
    await symlink('/', join(root, 'out'))
    await writeFile(join(root, 'file'), '')
    for (const cwd of ['/', '..', 'out', 'out/etc'])
      await expect(run(host, 'pwd', { cwd })).rejects.toMatchObject({
        errorType: 'permission_denied',
      })
    for (const cwd of ['missing', 'file'])
      await expect(run(host, 'pwd', { cwd })).rejects.toMatchObject({ errorType: 'not_found' })
  })
})

describe('how a command ends', () => {
  test('by a timeout, with its output', async () => {
    const { host } = await machine()
    const result = await run(host, 'echo begun; sleep 60', { timeout: 300 })
    expect(result).toMatchObject({ stdout: 'begun\n', timed_out: true, exit_code: 124 })
    expect(bashTool(host).show!(result, { command: '' })).toContain('longer than 300 ms')
  })

  test('by SIGTERM first', async () => {
    const { host } = await machine()
    const result = await run(host, 'trap "echo bye; exit" TERM; while :; do sleep 0.05; done', {
      timeout: 300,
    })
    expect(result.stdout).toBe('bye\n')
  })

  test('by a timeout without output', async () => {
    const { host } = await machine({ silence: 400 })
    const speaking = await run(host, 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done')
    expect(speaking).toMatchObject({ exit_code: 0 })
    expect(await run(host, 'echo a; sleep 60')).toMatchObject({ timed_out: true, stdout: 'a\n' })
  })

  test('without waiting for a background process that holds the pipe', async () => {
    const { host } = await machine()
    const result = await run(host, 'sleep 300 & echo $!')
    expect(result.notes).toEqual([expect.stringContaining('left running were stopped')])
    expect(lives(Number(result.stdout))).toBe(false)
  })

  test('with output that arrives slightly late', async () => {
    const { host } = await machine()
    expect((await run(host, '(sleep 0.05; echo late) & true')).stdout).toBe('late\n')
  })

  test('immediately with all its processes when aborted', async () => {
    const { host } = await machine()
    const stopping = new AbortController()
    const ready = context(stopping.signal)
    const running = bashTool(host).execute(
      { command: 'trap "" TERM; setsid sleep 300 & echo $!; sleep 300' },
      {
        ...ready,
        progress: (update) => (ready.progress(update), stopping.abort(new Error('enough'))),
      },
    )
    await expect(running).rejects.toThrow('enough')
    const said = ready.said[0] as { text: string }
    expect(said).toMatchObject({ type: 'output', stream: 'stdout' })
    expect(lives(Number(said.text))).toBe(false)
  })

  test('before it starts if the call was already aborted', async () => {
    const { host, root } = await machine()
    const calling = bashTool(host).execute({ command: 'touch x' }, context(AbortSignal.abort()))
    await expect(calling).rejects.toThrow()
    await expect(stat(join(root, 'x'))).rejects.toThrow()
  })

  test('with its detached processes when the host closes', async () => {
    const { host, root } = await machine()
    const { stdout } = await run(
      host,
      '(setsid sleep 300 > /dev/null 2>&1 197>&- & echo $!); sleep 0.3',
    )
    const daemon = Number(stdout)
    expect(lives(daemon)).toBe(true)
    const running = run(host, 'touch begun; sleep 300')
    await until(() => existsSync(join(root, 'begun')))
    await host.close()
    expect(await running).toMatchObject({ exit_code: 143 })
    expect(lives(daemon)).toBe(false)
    await expect(run(host, 'true')).rejects.toThrow('closed')
  })
})

describe('refused commands', () => {
  const parameters = bashTool({} as Host).parameters as ZodType

  test.each([
    [{}],
    [{ command: '' }],
    [{ command: 1 }],
    [{ command: 'x', timeout: 0 }],
    [{ command: 'x', timeout: 600_001 }],
    [{ command: 'x', timeout: 1.5 }],
    [{ command: 'x', env: {} }],
    [{ command: 'x', sandbox: false }],
  ])('%j', (args) => {
    expect(parameters.safeParse(args).success).toBe(false)
  })

  test.each([
    '   ',
    'a\0b',
    'pkill node',
    `kill ${process.pid}`,
    `: ${'x'.repeat(200_000)}`,
    "'".repeat(50_000),
  ])('command %#', async (command) => {
    const { host } = await machine()
    await expect(run(host, command)).rejects.toMatchObject({ errorType: 'invalid_input' })
  })
})

test('reports progress while the command runs, but not too often', async () => {
  const { host } = await machine()
  const told = context()
  await bashTool(host).execute(
    { command: 'for i in $(seq 300); do echo $i; done; echo e >&2; sleep 0.3; echo last' },
    told,
  )
  const text = told.said.map((update) => (update.type === 'output' ? update.text : '')).join('')
  expect(text).toContain('1\n2\n')
  expect(text.endsWith('last\n')).toBe(true)
  expect(told.said.length).toBeLessThan(8)
  expect(told.said.some((update) => update.type === 'output' && update.stream === 'stderr')).toBe(
    true,
  )
})

test('runs twenty commands concurrently', async () => {
  const { host } = await machine()
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => run(host, `echo ${index}`)),
  )
  expect(results.map(({ stdout }) => stdout)).toEqual(results.map((_, index) => `${index}\n`))
  expect(await realpath(host.processes.cwd)).toBe(host.processes.cwd)
})
