import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { expect } from 'vitest'
import type { startsSandbox as StartsSandbox } from '../../packages/tools/test/sandboxes.ts'

interface Ability {
  /** Instructions for getting the ability. */
  readonly how: string
  isThere(): boolean | Promise<boolean>
}

const isLinux = process.platform === 'linux'
const isRoot = process.getuid?.() === 0
const runs = (program: string, ...words: string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0

/** Loaded on demand: most tests need no sandbox. */
const starts: typeof StartsSandbox = async (...sandbox) =>
  (await import('../../packages/tools/test/sandboxes.ts')).startsSandbox(...sandbox)

/** The abilities of a machine that some tests need. */
const abilities = {
  linux: { how: 'run them on Linux', isThere: () => isLinux },
  root: { how: 'run them as root', isThere: () => isRoot },
  'a user other than root': { how: 'run them as one', isThere: () => !isRoot },
  mount: {
    how: 'run them as root on Linux, where mounting is allowed',
    isThere: () =>
      isLinux && isRoot && runs('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'),
  },
  bash: { how: 'install bash', isThere: () => runs('bash', '--version') },
  strace: {
    how: 'apt-get install strace',
    isThere: () => runs('strace', '-e', 'trace=none', 'true'),
  },
  script: {
    how: 'apt-get install bsdutils',
    isThere: () => isLinux && runs('script', '--version'),
  },
  bubblewrap: {
    how: 'apt-get install bubblewrap, on a kernel that allows user namespaces',
    isThere: () => starts('bubblewrap', 'none'),
  },
  'sandbox-runtime': {
    how: 'apt-get install bubblewrap socat ripgrep',
    isThere: () => starts('sandbox-runtime', ['example.org']),
  },
  'recorded data': {
    how: 'it is in ../shared where Toolglot is developed, and is not published',
    isThere: () => existsSync(new URL('../../../shared/vectors', import.meta.url)),
  },
} satisfies Record<string, Ability>

/**
 * True if this machine lacks an ability. `npm test` counts the tests skipped for that reason, with
 * instructions for getting the ability; tests skipped for any other reason make it fail.
 */
export async function lacks(name: keyof typeof abilities): Promise<boolean> {
  const ability: Ability = abilities[name]
  if (await ability.isThere()) return false
  const records = process.env['TEST_RECORDS']
  const { testPath: path } = expect.getState()
  if (records)
    appendFileSync(records, `${JSON.stringify({ path, lacks: name, how: ability.how })}\n`)
  return true
}
