import type { FileOperation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { invisibleIn } from './invisible.ts'
import { pathOf, segmentsOf } from './segments.ts'
import { readAsWindows } from './windows.ts'

/** All the names one file has. What is denied under one of them is denied; what is allowed must be so under each. */
export interface Spellings {
  /** The plain reading of what was given, absolute. */
  readonly given: string
  /** Where it really leads. */
  readonly real: string
  /** Absolute paths, each once, the given one first. */
  readonly names: readonly string[]
  /** Why it may be another file than it seems: then nothing allows it. */
  readonly doubts: readonly string[]
  /** Why nothing may be done with it. */
  readonly refusal?: string
}

/** No system opens a path longer than this; whether such a one is meant cannot be told. */
const LONGEST = 4096

/** All the names of the file an operation is about; undefined where nobody can say which that is. */
export function spellingsOf(
  { path, cwd }: FileOperation,
  fileSystem: FileSystemView,
): Spellings | undefined {
  if (path === undefined) return undefined
  const names = new Set<string>()
  const doubts = new Set<string>()
  const windows = readAsWindows(path, fileSystem.platform)
  const refusal = path.includes('\0') ? 'it contains a NUL character' : windows.refusal
  const odd = invisibleIn(path)
  if (odd !== undefined) doubts.add(`it contains ${odd}`)
  if (windows.doubt !== undefined) doubts.add(windows.doubt)
  for (const doubt of doubtsIn(path)) doubts.add(doubt)
  const start = cwd ?? fileSystem.cwd
  const isAbsolute = path.startsWith('/')
  if (cwd === undefined && !isAbsolute) doubts.add('nobody knows which folder it starts from')

  const from = (name: string): string => (name.startsWith('/') ? name : `${start}/${name}`)
  const given = pathOf(segmentsOf(from(path)))
  const waiting = [from(path), ...windows.names.map(from)]
  if (path === '~' || path.startsWith('~/')) waiting.push(fileSystem.home + path.slice(1))

  let real = given
  for (let next = 0; next < waiting.length && next < MAX; next++) {
    const name = waiting[next]!
    const plain = pathOf(segmentsOf(name))
    if (plain.length <= LONGEST) names.add(plain)
    const followed = name.length > LONGEST ? undefined : fileSystem.follow(name)
    if (!followed) doubts.add('nobody can tell where it leads')
    for (const hop of followed ?? []) names.add(pathOf(segmentsOf(hop)))
    if (next === 0) real = pathOf(segmentsOf(followed?.at(-1) ?? name))
    for (const known of [name, ...(followed ?? [])]) {
      const other = virtualName(known, fileSystem)
      if (other === undefined) continue
      doubts.add('it names a file by way of a running process or of the system')
      if (!waiting.includes(other)) waiting.push(other)
    }
  }
  return { given, real, names: [...names], doubts: [...doubts], ...(refusal && { refusal }) }
}

/** More readings than this are a maze. */
const MAX = 8

/** Ways of writing a path that some programs read otherwise than others. */
function doubtsIn(path: string): string[] {
  const doubts: string[] = []
  if (path === '') doubts.push('it is empty')
  if (path.startsWith('~')) doubts.push('"~" is not always the home')
  if (/^(\$\w+|\$\{[^/]*\}|%\w+%)(\/|\\|$)/.test(path)) doubts.push('it begins with a variable')
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(path)) doubts.push('it is an address, not a path')
  if (path.length > LONGEST) doubts.push('it is too long')
  return doubts
}

/** Where a path leads by way of a folder that the system makes up: `/proc/self/cwd/../x`. */
function virtualName(path: string, fileSystem: FileSystemView): string | undefined {
  const parts = path.split('/')
  const walked: string[] = []
  for (const [at, part] of parts.entries()) {
    if (part === '..') walked.pop()
    else if (part !== '' && part !== '.') walked.push(part)
    const folder = virtualFolder(walked, fileSystem)
    if (folder !== undefined) return [folder, ...parts.slice(at + 1)].join('/')
  }
  return undefined
}

/** What a made-up folder stands for; itself, where nobody can say. */
function virtualFolder(walked: readonly string[], fileSystem: FileSystemView): string | undefined {
  if (walked.length > DEEPEST) return undefined
  const [first, second = ''] = walked
  const all = pathOf(walked)
  if (first === 'proc' && /^(self|thread-self|[0-9]+)$/.test(second)) {
    const what = walked[2] === 'task' ? walked[4] : walked[2]
    if (what === 'root') return '/'
    if (what === 'cwd') return fileSystem.cwd
    return what === 'fd' || what === 'map_files' ? all : undefined
  }
  if (first === 'dev' && OPEN_FILES.has(second)) return all
  if (fileSystem.platform !== 'darwin') return undefined
  if (all === DATA_VOLUME) return '/'
  return first !== undefined && VIRTUAL.has(first) ? all : undefined
}

/** `/proc/1/task/1/cwd` */
const DEEPEST = 5
const OPEN_FILES = new Set(['fd', 'stdin', 'stdout', 'stderr'])
const DATA_VOLUME = '/System/Volumes/Data'
const VIRTUAL = new Set(['.vol', '.nofollow', '.resolve'])
