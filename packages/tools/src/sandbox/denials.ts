import { isInside } from '../paths/inside.ts'
import { viewFor } from './mounts.ts'
import type { Policy } from './sandbox.ts'

/** Error messages of programs without network access. */
const NO_NETWORK = [
  'Could not resolve host',
  'Temporary failure in name resolution',
  'Network is unreachable',
  'EAI_AGAIN',
  'ENETUNREACH',
  'Connection blocked by network allowlist',
]
/** The error for replacing a mount is that it is busy. */
const READ_ONLY = ['Read-only file system', 'EROFS', 'Device or resource busy', 'EBUSY']
const MISSING = ['No such file', 'ENOENT', 'not found', 'does not exist', 'cannot find']
const DENIED = ['Permission denied', 'EACCES', 'Operation not permitted']

/** The maximum number of characters of output to search. */
const MAX_SEARCHED = 20_000

/** A note for the model about a failure that the sandbox may have caused. */
export function denialNote(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  policy: Policy,
): string | undefined {
  const lines = [stderr, stdout].flatMap((text) => text.slice(-MAX_SEARCHED).split('\n'))
  const says = (line: string, messages: readonly string[]): boolean =>
    messages.some((message) => line.includes(message))
  const view = viewFor(policy)
  const isHidden = (path: string): boolean => !view.isVisible(path) && isReal(path, policy)
  const missing = lines.filter((line) => says(line, MISSING))
  const hidden = pathIn(missing, policy, isHidden)
  if (hidden !== undefined)
    return `The sandbox doesn't show ${hidden} to commands. If this command needs it, the user can add it to "sandbox": { "read": […] } in their own settings.`
  const isReadOnly = (path: string): boolean =>
    !policy.writable.some((root) => isInside(path, root)) && isReal(path, policy)
  const closed = lines.filter((line) => says(line, [...READ_ONLY, ...DENIED]))
  const readOnly = pathIn(closed, policy, isReadOnly)
  if (readOnly !== undefined)
    return `The sandbox doesn't let commands write ${readOnly}. If this command needs to, the user can add its folder to "sandbox": { "write": […] } in their own settings.`
  if (lines.some((line) => says(line, READ_ONLY)))
    return 'This ran in a sandbox: commands can write only to the workspace (but not its settings and hooks), to caches and to /tmp.'
  if (lines.some((line) => says(line, NO_NETWORK)))
    return 'This ran in a sandbox that blocks network access. The user can allow it when asked to approve the command, or in the settings.'
  return undefined
}

/** True if a path isn't in a private folder of the sandbox. */
function isReal(path: string, { home }: Policy): boolean {
  return isInside(path, home) || !PRIVATE.some((folder) => isInside(path, folder))
}

const PRIVATE = ['/tmp', '/var/tmp', '/proc', '/dev', '/run']

/**
 * The first path for which `matches` is true. Only the last path in each line counts, because programs
 * print their own names first.
 */
function pathIn(
  lines: readonly string[],
  { home }: Policy,
  matches: (path: string) => boolean,
): string | undefined {
  for (const line of lines) {
    const words = line.split(/[\s'"`‘’“”,;:()[\]<>=]+/)
    const path = words
      .map((word) => (word.startsWith('~/') ? home + word.slice(1) : word))
      .filter((word) => word.startsWith('/') && word.length > 1 && word.length < 1000)
      .at(-1)
    if (path !== undefined && matches(path)) return path
  }
  return undefined
}
