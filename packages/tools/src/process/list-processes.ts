import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** A process as the system lists it. When it started tells it from a later one with the same number. */
export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  readonly started: number
  readonly name: string
  /** Only its parent has not noticed yet. */
  readonly hasEnded: boolean
}

/** Every process that has not ended. */
export function listProcesses(): ListedProcess[] {
  if (process.platform === 'linux') return listFromProc()
  return listFromPs().filter(({ hasEnded }) => !hasEnded)
}

/** One process, if there is one of this number. */
export function findProcess(pid: number): ListedProcess | undefined {
  if (process.platform === 'linux') return readStat(pid)
  return listFromPs().find((listed) => listed.pid === pid)
}

export function listFromProc(): ListedProcess[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    const listed = Number.isInteger(pid) ? readStat(pid) : undefined
    return listed && !listed.hasEnded ? listed : []
  })
}

/** `12 (a name) S 1 12 12 …`: the name may hold anything, the last bracket closes it. */
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

/** What a small file begins with; undefined if it cannot be read. Hundreds are read at once, so nothing is made for it. */
function readStart(path: string): string | undefined {
  let file
  try {
    file = openSync(path, 'r')
    return start.toString('latin1', 0, readSync(file, start, 0, start.length, 0))
  } catch {
    return undefined // It ended since.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Where there is no /proc. Its times are whole seconds. */
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
