import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTrace } from './trace.mjs'

const RECORDER = join(dirname(fileURLToPath(import.meta.url)), 'record.sh')
const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path))

/** The reason why commands can't run here; undefined if they can. */
export const whyNot = () => (BASH ? undefined : 'it needs bash')

/** The output of every program: several words, one of them a pattern. */
const OUTPUT = 'one t*o $(touch P)'
const MARK = '9f3c> '

/** Only the folders that bash itself needs: no other program exists in the box. */
const NEEDED = ['/lib', '/lib32', '/lib64', '/usr/lib']
const ALONE = 'user pid net ipc uts cgroup'.split(' ').map((name) => `--unshare-${name}`)

const environment = (folder, locale) => ({
  PATH: '/nowhere',
  HOME: join(folder, 'home'),
  LC_ALL: locale,
})

function boxed(folder, locale) {
  return [
    '--clearenv',
    ...Object.entries(environment(folder, locale)).flatMap((entry) => ['--setenv', ...entry]),
    ...['--tmpfs', '/', '--dev', '/dev', '--proc', '/proc'],
    ...NEEDED.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', realpathSync(BASH), '/box/bash', '--ro-bind', RECORDER, '/box/record.sh'],
    ...['--bind', folder, folder, ...ALONE, '--cap-drop', 'ALL', '--die-with-parent'],
    ...['--new-session', '--chdir', join(folder, 'ws'), '/box/bash'],
  ]
}

let hasBubblewrap

/** The locales that are installed, one of each kind. */
export function locales() {
  const { stdout } = spawnSync('locale', ['-a'], { encoding: 'utf8' })
  const other = stdout?.split('\n').find((name) => /sjis|gbk|big5|eucjp/i.test(name))
  return ['C', 'C.UTF-8', ...(other ? [other] : [])]
}

/**
 * Runs shell commands in the folder `ws`, and returns the lists of words that bash was about to run
 * for each. No program exists; where bubblewrap works, nothing else of this machine is visible
 * either. A command that doesn't end is stopped.
 */
export async function runTexts(folder, texts, { locale = 'C.UTF-8' } = {}) {
  hasBubblewrap ??= spawnSync('bwrap', [...boxed(folder, locale), '-c', ':']).status === 0
  const exchange = join(folder, 'exchange')
  mkdirSync(exchange)
  try {
    const isDone = await execute(folder, exchange, texts, locale)
    // One of the commands hangs, so each runs separately.
    if (!isDone && texts.length > 1) {
      rmSync(exchange, { recursive: true })
      const middle = texts.length >> 1
      const first = await runTexts(folder, texts.slice(0, middle), { locale })
      return [...first, ...(await runTexts(folder, texts.slice(middle), { locale }))]
    }
    return texts.map((_, number) => {
      const file = join(exchange, `trace-${number}`)
      const trace = existsSync(file) ? readFileSync(file, 'latin1') : ''
      return readTrace(trace, { mark: MARK, output: OUTPUT })
    })
  } finally {
    rmSync(exchange, { recursive: true, force: true })
  }
}

/** Runs commands until all have ended. Returns false if they take too long. */
async function execute(folder, exchange, texts, locale) {
  const input = texts.map(({ text, status }, number) => `${number}\0${status}\0${text}\0`).join('')
  const options = { cwd: join(folder, 'ws'), stdio: ['pipe', 'ignore', 'ignore'] }
  const own = ['--noprofile', '--norc']
  const given = [exchange, MARK, OUTPUT]
  const child = hasBubblewrap
    ? spawn('bwrap', [...boxed(folder, locale), ...own, '/box/record.sh', ...given], options)
    : spawn(BASH, [...own, RECORDER, ...given], { ...options, env: environment(folder, locale) })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const timer = setTimeout(() => child.kill('SIGKILL'), 4000 + texts.length * 50)
  const [, signal] = await once(child, 'exit')
  clearTimeout(timer)
  return signal === null
}
