import type { FileSystemView } from '../decide/file-system.ts'

/** How Windows would interpret a path. */
export interface WindowsReading {
  /** The other names the path then has, with `/` as separator. */
  readonly names: readonly string[]
  /** Why it may not be the file it seems to be. */
  readonly doubt?: string
  /** Why it is always denied. */
  readonly refusal?: string
}

/** Reads a path as Windows does. On other systems, its special forms only raise doubts. */
export function readAsWindows(path: string, platform: FileSystemView['platform']): WindowsReading {
  const native = platform === 'win32'
  const slashed = path.replaceAll('\\', '/')
  if (path.startsWith('\\') && /^\/(\?\?|\/[?.]\/(?![A-Za-z]:\/))/.test(slashed))
    return { names: [], refusal: 'names a Windows device' }
  const drive = /^(?:\/\/[?.]\/)?([A-Za-z]):(?!\/\/)/.exec(slashed)
  const rest = drive ? slashed.slice(drive[0].length) : slashed
  const plain = rest.split('/').map(withoutTail).join('/')
  if (native && rest.split('/').some((name) => /~[0-9]/.test(name)))
    return { names: [], refusal: 'a short name such as NAME~1 may be any file' }

  const names = drive ? onDrive(drive[1]!.toLowerCase(), plain) : [plain]
  const doubt =
    (path.includes('\\') && 'contains "\\"') ||
    (drive && 'names a Windows drive') ||
    (rest.includes(native ? ':' : '::$') && 'names an alternate data stream') ||
    (native && plain !== rest && 'Windows ignores dots and spaces at the end of a name') ||
    (rest.split('/').some((name) => isDevice(name, native)) && 'names a Windows device')
  if (doubt) return { names, doubt }
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

/** A path on a drive, without its letter and as other systems mount it. */
function onDrive(letter: string, path: string): string[] {
  return [path, `/${letter}/${path}`, `/mnt/${letter}/${path}`]
}

/** `con`; on Windows also `con.txt`. */
function isDevice(name: string, native: boolean): boolean {
  const stem = native ? name.split('.', 1)[0]! : name
  return DEVICES.has(stem.toLowerCase().trimEnd())
}

const DEVICES = new Set(
  'con prn aux nul conin$ conout$ com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'.split(
    ' ',
  ),
)
