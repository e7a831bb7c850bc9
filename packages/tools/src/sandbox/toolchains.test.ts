import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/machine.ts'
import { isInside } from '../paths/inside.ts'
import { TOOLCHAINS, toolchains } from './toolchains.ts'
import { share } from '../../../../tests/helpers/size.ts'

/** A home folder, and the part of it that is visible to commands. */
async function setUp(): Promise<{
  readonly put: (path: string) => void
  readonly isShown: (path: string, environment?: Record<string, string>) => boolean
  readonly mounts: () => string[]
}> {
  const { root: home } = await machine()
  const shown = (environment = {}) => toolchains({ home, environment, writable: [] })
  return {
    put(path) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), '')
    },
    isShown(path, environment) {
      const all = shown(
        Object.fromEntries(Object.entries(environment ?? {}).map(([k, v]) => [k, join(home, v)])),
      )
      return all.some(({ source, target }) => {
        expect(source).toBe(target)
        return isInside(join(home, path), target)
      })
    },
    mounts: () => shown().map(({ target }) => target.slice(home.length + 1)),
  }
}

const KEYS = [
  '.npmrc',
  'pip.conf',
  '.condarc',
  'condarc',
  'credentials',
  'auth.json',
  '.env',
  '.git/config',
]

const PLACES = TOOLCHAINS.split('\n')
  .filter((line) => line.includes(':'))
  .flatMap((line) => {
    const [places = '', parts = ''] = line.split(':')
    const isCollection = parts.split(' ').includes('*')
    return places
      .split(' ')
      .filter(Boolean)
      .map((place) => ({ place, isCollection }))
  })

test.each(share(PLACES, 4))(
  'hides keys in $place, but not programs',
  async ({ place, isCollection }) => {
    const { put, isShown } = await setUp()
    const isVariable = place.startsWith('$')
    const folder = isVariable ? 'opt/toolchain' : place
    const environment = isVariable ? { [place.slice(1)]: folder } : {}
    const inner = isCollection ? `${folder}/one` : folder
    put(`${inner}/bin/tool`)
    const before = isShown(`${inner}/bin/tool`, environment)
    const keys = KEYS.flatMap((key) => [`${folder}/${key}`, `${inner}/${key}`])
    for (const key of keys) put(key)
    expect(keys.filter((key) => isShown(key, environment))).toEqual([])
    expect([before, isShown(`${inner}/bin/tool`, environment)]).toEqual([true, true])
  },
)

test.each([
  ['.pyenv/versions/3.12.1', 'pip.conf'],
  ['.pyenv/versions/3.12.1/envs/one', 'pip.conf'],
  ['.nvm/versions/node/v22.1.0', 'etc/npmrc'],
  ['miniconda3/envs/one', '.condarc'],
  ['.local/share/pipx/venvs/one', 'pip.conf'],
])('%s is shown without %s', async (folder, key) => {
  const { put, isShown, mounts } = await setUp()
  for (const name of ['bin/tool', 'lib/x', 'LICENSE']) put(`${folder}/${name}`)
  expect(mounts()).toHaveLength(1) // All files in the folder are allowed, so there is only one mount.
  put(`${folder}/${key}`)
  expect(['bin/tool', 'lib/x', key].map((name) => isShown(`${folder}/${name}`))).toEqual([
    ...[true, true, false],
  ])
})

test('shows programs in PNPM_HOME, but not its other files', async () => {
  const { root: home } = await machine()
  for (const name of ['tool', 'rc']) writeFileSync(join(home, name), '')
  chmodSync(join(home, 'tool'), 0o755)
  symlinkSync('tool', join(home, 'link'))
  const environment = { PNPM_HOME: home }
  const shown = toolchains({ home: '/nowhere', environment, writable: [] })
  expect(shown).toEqual([
    { source: join(home, 'tool'), target: join(home, 'link') },
    { source: join(home, 'tool'), target: join(home, 'tool') },
  ])
})
