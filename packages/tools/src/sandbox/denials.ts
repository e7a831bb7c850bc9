import { isInside } from '../paths/inside.ts'
import { viewFor } from './mounts.ts'
import type { Policy } from './sandbox.ts'

/** Messages of programs that have no network. */
const NO_NETWORK = [
  'Could not resolve host',
  'Temporary failure in name resolution',
  'Network is unreachable',
  'EAI_AGAIN',
  'ENETUNREACH',
  'Connection blocked by network allowlist',
]
/** A file that can't be replaced is busy: it is a mount. */
const READ_ONLY = ['Read-only file system', 'EROFS', 'Device or resource busy', 'EBUSY']
const MISSING = ['No such file', 'ENOENT', 'not found', 'does not exist', 'cannot find']
const DENIED = ['Permission denied', 'EACCES', 'Operation not permitted']

/** How much of the output is searched, in characters. */
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

/** Whether a path isn't in a folder that is meant to be private. */
function isReal(path: string, { home }: Policy): boolean {
  return isInside(path, home) || !PRIVATE.some((folder) => isInside(path, folder))
}

const PRIVATE = ['/tmp', '/var/tmp', '/proc', '/dev', '/run']

/** The first line's last path for which `matches` holds: programs put their own names first. */
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

/** Hosts that programs need for what they usually fetch. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  npx: ['registry.npmjs.org'],
  pnpm: ['registry.npmjs.org'],
  yarn: ['registry.yarnpkg.com', 'registry.npmjs.org'],
  bun: ['registry.npmjs.org'],
  pip: ['pypi.org', 'files.pythonhosted.org'],
  pip3: ['pypi.org', 'files.pythonhosted.org'],
  uv: ['pypi.org', 'files.pythonhosted.org'],
  poetry: ['pypi.org', 'files.pythonhosted.org'],
  cargo: ['index.crates.io', 'static.crates.io'],
  go: ['proxy.golang.org', 'sum.golang.org'],
  gem: ['rubygems.org'],
  bundle: ['rubygems.org', 'index.rubygems.org'],
  composer: ['repo.packagist.org', 'api.github.com'],
  mvn: ['repo.maven.apache.org'],
  gradle: ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
}

/** The hosts that a command names in addresses, and those that its package managers need. For a person to look at. */
export function suggestHosts(command: string): string[] {
  const found = new Set<string>()
  for (const word of command.slice(0, MAX_LENGTH).split(/[\s"'`;|&()<>{}=,]+/)) {
    const host = hostOf(word)
    if (host !== undefined) found.add(host)
    for (const known of Object.hasOwn(HOSTS, word) ? HOSTS[word]! : []) found.add(known)
  }
  return [...found].slice(0, MAX_HOSTS)
}

const MAX_LENGTH = 10_000
const MAX_HOSTS = 10

/** The host of an address: `https://example.com/x`, `ssh://git@example.com/x`, `git@example.com:x`. */
function hostOf(word: string): string | undefined {
  if (!word.includes('://')) return name(between(word, '@', ':').toLowerCase())
  const [scheme = ''] = word.toLowerCase().split('://', 1)
  const address = `http${word.slice(scheme.length)}`
  if (!SCHEMES.includes(scheme) || !URL.canParse(address)) return undefined
  return name(new URL(address).hostname)
}

const SCHEMES = ['http', 'https', 'ssh', 'git', 'ftp']

function between(word: string, before: string, after: string): string {
  const start = word.indexOf(before)
  const end = word.indexOf(after, start)
  return start === -1 || end === -1 ? '' : word.slice(start + 1, end)
}

/** The text if it is a name. An address of this machine or its network is nothing to suggest. */
function name(text: string): string | undefined {
  return /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(text) ? text : undefined
}
