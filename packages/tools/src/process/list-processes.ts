import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process as listed by the system. Its start time distinguishes it from a later one with the same pid. */
export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 if unknown. */
  readonly session: number
  readonly started: number
  readonly name: string
  /** True for a zombie. */
  readonly hasEnded: boolean
}

/** All running processes. */
export function listProcesses(): ListedProcess[] {
  if (process.platform === 'linux') return listFromProc()
  return listFromPs().filter(({ hasEnded }) => !hasEnded)
}

/** The process with this pid, if there is one. */
export function findProcess(pid: number): ListedProcess | undefined {
  if (process.platform === 'linux') return readStat(pid)
  return listFromPs().find((listed) => listed.pid === pid)
}

/** Lists running processes through /proc. */
export function listFromProc(): ListedProcess[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    const listed = Number.isInteger(pid) ? readStat(pid) : undefined
    return listed && !listed.hasEnded ? listed : []
  })
}

/**
 * `12 (a name) S 1 12 12 …`: the name may contain any characters; the last parenthesis closes it.
 */
function readStat(pid: number): ListedProcess | undefined {
  const text = readStart(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const close = text.lastIndexOf(')')
  const fields = text.slice(close + 2).split(' ')
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started: Number(fields[19]),
    name: text.slice(text.indexOf('(') + 1, close),
    hasEnded: fields[0] === 'Z' || fields[0] === 'X',
  }
}

const start = Buffer.alloc(4096)

/** The beginning of a file; undefined if it cannot be read. Hundreds are read in a row, so the buffer is shared. */
function readStart(path: string): string | undefined {
  let file
  try {
    file = openSync(path, 'r')
    return start.toString('latin1', 0, readSync(file, start, 0, start.length, 0))
  } catch {
    return undefined // The process has ended.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** For systems without /proc. Start times have a resolution of a second. */
export function listFromPs(): ListedProcess[] {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,ucomm='
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } } as const
  const lines = execFileSync('ps', ['-A', '-o', columns], options).split('\n')
  return lines.flatMap((line) => {
    const [pid, parent, group, state, , month, day, time, year, ...name] = line.trim().split(/\s+/)
    if (year === undefined) return []
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      started: Date.parse(`${month} ${day} ${time} ${year}`),
      name: name.join(' '),
      hasEnded: state!.startsWith('Z'),
    }
  })
}

/** Identifies a process uniquely: pids are reused, and every container has its own. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: number
  readonly host: string
  /** Id of the current boot of the machine. */
  readonly boot: string
  /** The pid namespace. */
  readonly namespace: string
}

/** The identity of this process. Throws if the system does not report when it started. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= readOwnIdentity())
}

let own: ProcessIdentity | undefined

function readOwnIdentity(): ProcessIdentity {
  const started = findProcess(process.pid)?.started
  if (started === undefined) throw new Error('the system does not report when this process started')
  return { pid: process.pid, started, host: hostname(), ...bootAndNamespace() }
}

function bootAndNamespace(): { boot: string; namespace: string } {
  if (process.platform !== 'linux') return { boot: '', namespace: '' }
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { boot, namespace: readlinkSync('/proc/self/ns/pid') }
}

/**
 * True if a process has certainly ended. One in another container or on another machine may still
 * be running.
 */
export function hasEnded({ pid, started, host, boot, namespace }: ProcessIdentity): boolean {
  const here = ownIdentity()
  if (boot !== here.boot) return host === here.host
  if (namespace !== here.namespace) return false
  const found = findProcess(pid)
  return found === undefined || found.hasEnded || found.started !== started
}
