import type { FileOperation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { invisibleIn } from './invisible.ts'
import { pathOf, segmentsOf, relativeTo } from './segments.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'

/** The interpretation of a path on Windows. */
interface WindowsReading {
  /** The path's other names on Windows, with `/` as separator. */
  readonly names: readonly string[]
  /** The reason why it may not be the file it seems to be. */
  readonly caution?: string
  /** The reason why it is always denied. */
  readonly refusal?: string
}

const DEVICES = new Set(
  'con prn aux nul conin$ conout$ com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'.split(
    ' ',
  ),
)

/**
 * All names of one file. The file is denied if any of them is denied, and allowed only if all of
 * them are allowed.
 */
export interface Spellings {
  /** The path as given, made absolute. */
  readonly given: string
  /** The real path. */
  readonly real: string
  /** Absolute paths without duplicates, starting with the given one. */
  readonly names: readonly string[]
  /** Reasons why it may not be the file it seems to be. If there are any, no rule allows it. */
  readonly cautions: readonly string[]
  /** The reason why it is always denied. */
  readonly refusal?: string
}

/** The maximum length of a path on any system. */
const LONGEST = 4096

/** All names of an operation's file, or undefined if the file is unknown. */
export function spellingsOf(
  { path, cwd }: FileOperation,
  fileSystem: FileSystemView,
): Spellings | undefined {
  if (path === undefined) return undefined
  const names = new Set<string>()
  const cautions = new Set<string>()
  const windows = readAsWindows(path, fileSystem.platform)
  const refusal = path.includes('\0') ? 'contains a NUL character' : windows.refusal
  const invisible = invisibleIn(path)
  if (invisible !== undefined) cautions.add(`contains ${invisible}`)
  if (windows.caution !== undefined) cautions.add(windows.caution)
  for (const caution of cautionsIn(path)) cautions.add(caution)
  const start = cwd ?? fileSystem.cwd
  const isAbsolute = path.startsWith('/')
  if (cwd === undefined && !isAbsolute)
    cautions.add('relative to a folder that is unknown until it runs')

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
    if (!followed) cautions.add('the path cannot be resolved')
    for (const hop of followed ?? []) names.add(pathOf(segmentsOf(hop)))
    if (next === 0) real = pathOf(segmentsOf(followed?.at(-1) ?? name))
    for (const known of [name, ...(followed ?? [])]) {
      const other = virtualName(known, fileSystem)
      if (other === undefined) continue
      cautions.add('names a file through a process or a system folder')
      if (!waiting.includes(other)) waiting.push(other)
    }
  }
  return { given, real, names: [...names], cautions: [...cautions], refusal: refusal || undefined }
}

/** The maximum number of interpretations to follow. */
const MAX = 8

/** Parts of a path that programs interpret differently. */
function cautionsIn(path: string): string[] {
  const cautions: string[] = []
  if (path === '') cautions.push('the path is empty')
  if (path.startsWith('~')) cautions.push('"~" is not always the home folder')
  if (/^(\$\w+|\$\{[^/]*\}|%\w+%)(\/|\\|$)/.test(path)) cautions.push('begins with a variable')
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(path)) cautions.push('a URL, not a path')
  if (path.length > LONGEST) cautions.push('the path is too long')
  return cautions
}

/** The target of a path through a virtual folder of the system: `/proc/self/cwd/../x`. */
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

/** The target of a virtual folder, or the folder itself if unknown. */
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

/** Interprets a path as on Windows. On other systems, its special forms only raise cautions. */
function readAsWindows(path: string, platform: FileSystemView['platform']): WindowsReading {
  const native = platform === 'win32'
  const slashed = path.replaceAll('\\', '/')
  if (path.startsWith('\\') && /^\/(\?\?|\/[?.]\/(?![A-Za-z]:\/))/.test(slashed))
    return { names: [], refusal: 'is the name of a Windows device' }
  const drive = /^(?:\/\/[?.]\/)?([A-Za-z]):(?!\/\/)/.exec(slashed)
  const rest = drive ? slashed.slice(drive[0].length) : slashed
  const plain = rest.split('/').map(withoutTail).join('/')
  if (native && rest.split('/').some((name) => /~[0-9]/.test(name)))
    return { names: [], refusal: 'a short name such as NAME~1 may be any file' }

  const names = drive ? onDrive(drive[1]!.toLowerCase(), plain) : [plain]
  const caution =
    (path.includes('\\') && 'contains "\\"') ||
    (drive && 'names a Windows drive') ||
    (rest.includes(native ? ':' : '::$') && 'names an alternate data stream') ||
    (native && plain !== rest && 'Windows ignores dots and spaces at the end of a name') ||
    (rest.split('/').some((name) => isDevice(name, native)) && 'is the name of a Windows device')
  if (caution) return { names, caution }
  return { names: native ? names : [] }
}

/** The name without `:…` and without trailing dots and spaces. */
function withoutTail(name: string): string {
  if (name === '.' || name === '..') return name
  const colon = name.indexOf(':', 1)
  let end = colon < 0 ? name.length : colon
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}

/** A path on a drive, without the drive letter and as mounted on other systems. */
function onDrive(letter: string, path: string): string[] {
  return [path, `/${letter}/${path}`, `/mnt/${letter}/${path}`]
}

/** `con` and, on Windows, `con.txt`. */
function isDevice(name: string, native: boolean): boolean {
  const stem = native ? name.split('.', 1)[0]! : name
  return DEVICES.has(stem.toLowerCase().trimEnd())
}

/**
 * A file in a temporary folder that only this run's commands see, or undefined for any other file.
 * Tools see the system's folder instead.
 */
export function temporaryFile(
  { kind, path, cwd, tool }: FileOperation,
  fileSystem: SearchableFileSystem,
): (Spellings & { readonly leadsOut: boolean }) | undefined {
  if (path === undefined || tool !== undefined) return undefined
  const full = path.startsWith('/') ? path : cwd !== undefined && `${cwd}/${path}`
  // A folder may have become a link when `..` is resolved.
  if (!full || !SYSTEM.test(full) || full.split('/').includes('..')) return undefined
  const given = segmentsOf(full)
  const known = [...fileSystem.roots, fileSystem.home].flatMap((each) =>
    [each, ...(fileSystem.follow(each) ?? [])].map(segmentsOf),
  )
  if (known.some((each) => relativeTo(each, given))) return undefined
  for (const { path: seen, real, shown = [] } of fileSystem.temporaryMounts?.() ?? []) {
    const rest = relativeTo(segmentsOf(seen), given)
    if (!rest || (rest.length === 0 && kind !== 'list')) continue
    // A workspace in the system's temporary folder is visible there, as is its repository.
    const isShown = [...known, ...shown.map(segmentsOf)].some((each) => {
      const inside = relativeTo(segmentsOf(seen), each)
      return inside !== undefined && inside[0] === rest[0]
    })
    if (isShown) return undefined
    const name = pathOf([...segmentsOf(real), ...rest])
    const followed = fileSystem.follow(name)
    const leadsOut = !followed || followed.some((each) => each !== name)
    return { given: pathOf(given), real: name, names: [pathOf(given)], cautions: [], leadsOut }
  }
  return undefined
}

/** Folders that sandboxes replace with their own. Only these are looked up. */
const SYSTEM = /^\/(?:private\/)?(?:var\/)?tmp(?:\/|$)/
