// Runs inside the box: judges shell commands, and runs each as written and as printed. Requests and
// answers are lines of JSON.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { TEMPLATE } from '../oracle/box.mjs'
import { Fixture } from '../oracle/fixture.mjs'
import { HOME, loadPermissions, WORKSPACE } from '../oracle/workspace.mjs'
import { environment } from './both-ways-workspace.mjs'

const [, , dist] = process.argv
const { decide, readRules, fileSystem } = await loadPermissions(dist)
const rules = readRules(
  { allow: ['Bash', 'Read', 'Write', 'WebFetch'] },
  { source: { scope: 'cli', root: WORKSPACE } },
)

/** The project itself may be in a temporary folder, read-only. */
const holdsProject = (path) =>
  path !== '/tmp' && [dist, import.meta.dirname].some((own) => own.startsWith(`${path}/`))

const SECONDS = 10
const FOLDERS = [WORKSPACE, HOME, '/tmp']
const fixtures = [new Fixture(`${TEMPLATE}/ws`, WORKSPACE), new Fixture(`${TEMPLATE}/home`, HOME)]
function renew() {
  for (const name of readdirSync('/tmp')) {
    const path = join('/tmp', name)
    if (!holdsProject(path)) rmSync(path, { recursive: true, force: true })
  }
  for (const each of fixtures) each.renew()
}

for await (const line of createInterface({ input: process.stdin })) {
  const { text } = JSON.parse(line)
  renew()
  const call = { name: 'Bash', args: { command: text } }
  const { runs, unprinted, why } = await decide(call, rules, fileSystem)
  const answer = runs === undefined ? { unprinted: unprinted ?? why } : await runBoth(text, runs)
  console.log(JSON.stringify(answer))
}

/**
 * Runs both versions. If they differ, the original runs again, because even its own runs may
 * differ.
 */
async function runBoth(text, runs) {
  const [original, printed] = [await run(text), await run(runs)]
  const isSame = JSON.stringify(original) === JSON.stringify(printed)
  return { runs, original, printed, again: isSame ? original : await run(text) }
}

/**
 * Runs a command in a fresh copy of the files. Returns its output, its exit code, and the files
 * afterwards.
 */
async function run(text) {
  renew()
  const output = { stdout: '', stderr: '' }
  const shell = spawn('bash', ['--noprofile', '--norc', '-c', text], {
    cwd: WORKSPACE,
    env: environment(HOME),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const name of ['stdout', 'stderr'])
    shell[name].setEncoding('latin1').on('data', (data) => (output[name] += data))
  const closed = once(shell, 'close')
  const timer = setTimeout(endOthers, SECONDS * 1000)
  const [code, signal] = await once(shell, 'exit')
  clearTimeout(timer)
  // Background commands have a moment to end by themselves.
  await Promise.race([closed, delay(500)])
  endOthers()
  await closed
  return { ...output, code: signal ?? code, files: filesAfter() }
}

/**
 * Ends every process in the box except the first and this one: all others belong to the command.
 */
function endOthers() {
  for (const id of readdirSync('/proc').map(Number))
    if (id > 1 && id !== process.pid)
      try {
        process.kill(id, 'SIGKILL')
      } catch {
        // The process has just ended.
      }
}

/**
 * Every path with its content. Git's index contains times of this copy, so its listing is compared
 * instead.
 */
function filesAfter() {
  const files = {
    index: spawnSync('git', ['ls-files', '-s'], { cwd: WORKSPACE }).stdout.toString(),
  }
  for (const folder of FOLDERS) add(folder)
  return files

  function add(path) {
    if (path === `${WORKSPACE}/.git/index` || holdsProject(path)) return
    const status = lstatSync(path)
    const content = status.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : status.isSymbolicLink()
        ? readlinkSync(path)
        : ''
    files[path] = `${(status.mode & 0o777777).toString(8)} ${content}`
    if (status.isDirectory()) for (const name of readdirSync(path)) add(join(path, name))
  }
}
