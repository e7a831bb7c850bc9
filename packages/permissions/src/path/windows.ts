import type { FileSystemView } from '../decide/file-system.ts'

/** How Windows, or a disk it shares, would read a path; and what of it nobody should rely on. */
export interface WindowsReading {
  /** Other names the path then has, with `/` between folders. */
  readonly names: readonly string[]
  /** Why it may be another file than it seems. */
  readonly doubt?: string
  /** Why nothing may be done with it at all. */
  readonly refusal?: string
}

/** Read a path as Windows does. On other systems its forms are only suspected. */
export function readAsWindows(path: string, platform: FileSystemView['platform']): WindowsReading {
  const native = platform === 'win32'
  const slashed = path.replaceAll('\\', '/')
  if (path.startsWith('\\') && /^\/(\?\?|\/[?.]\/(?![A-Za-z]:\/))/.test(slashed))
    return { names: [], refusal: 'it names a device of Windows' }
  const drive = /^(?:\/\/[?.]\/)?([A-Za-z]):(?!\/\/)/.exec(slashed)
  const rest = drive ? slashed.slice(drive[0].length) : slashed
  const plain = rest.split('/').map(withoutTail).join('/')
  if (native && rest.split('/').some((name) => /~[0-9]/.test(name)))
    return { names: [], refusal: 'a short name such as NAME~1 hides which file is meant' }

  const names = drive ? onDrive(drive[1]!.toLowerCase(), plain) : [plain]
  const doubt =
    (path.includes('\\') && 'it contains "\\"') ||
    (drive && 'it names a drive of Windows') ||
    (rest.includes(native ? ':' : '::$') && 'it names a part of a file') ||
    (native && plain !== rest && 'Windows leaves out points and spaces at the end of a name') ||
    (rest.split('/').some((name) => isDevice(name, native)) && 'it names a device of Windows')
  if (doubt) return { names, doubt }
  return { names: native ? names : [] }
}

/** The part before `:`, and before the points and spaces at its end. */
function withoutTail(name: string): string {
  if (name === '.' || name === '..') return name
  const colon = name.indexOf(':', 1)
  let end = colon < 0 ? name.length : colon
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}

/** Under its own letter, as other systems mount it, and where the letter is all that differs. */
function onDrive(letter: string, path: string): string[] {
  return [path, `/${letter}/${path}`, `/mnt/${letter}/${path}`]
}

/** `con`; on Windows itself `con.txt` too. */
function isDevice(name: string, native: boolean): boolean {
  const stem = native ? name.split('.', 1)[0]! : name
  return DEVICES.has(stem.toLowerCase().trimEnd())
}

const DEVICES = new Set(
  'con prn aux nul conin$ conout$ com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'.split(
    ' ',
  ),
)
