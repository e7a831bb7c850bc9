/** The hosts that programs usually download from. */
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

/**
 * The hosts in a command's addresses, and the usual hosts of its package managers, as a suggestion
 * for the approver.
 */
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

/**
 * The text if it is a public host name. Addresses of this machine or its network are not suggested.
 */
function name(text: string): string | undefined {
  return /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(text) ? text : undefined
}
