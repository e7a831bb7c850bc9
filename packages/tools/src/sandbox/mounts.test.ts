import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'

const folder = sharedFolderOf()

/** Finds repositories in another process, since opening a pipe would block this one. */
function repositoriesOf(...folders: string[]): unknown {
  const module = fileURLToPath(new URL('../../dist/sandbox/mounts.js', import.meta.url))
  const script = `
    const { repositoryOf } = await import(process.argv[1])
    console.log(JSON.stringify(process.argv.slice(2).map((each) => repositoryOf(each) ?? 'none')))`
  const words = ['--input-type=module', '-e', script, module, ...folders]
  const { stdout } = spawnSync('node', words, { encoding: 'utf8', timeout: 10_000 })
  return JSON.parse(stdout)
}

test('a pipe in place of a git file does not block', () => {
  const places = ['plain', 'commondir', 'file'].map((name) => join(folder, name))
  const [plain, commondir, file] = places as [string, string, string]
  for (const place of places)
    for (const name of ['objects', 'refs'])
      mkdirSync(join(place, '.git', name), { recursive: true })
  for (const place of places) writeFileSync(join(place, '.git/HEAD'), 'ref: refs/heads/main')
  execFileSync('mkfifo', [join(commondir, '.git/commondir')])
  rmSync(join(file, '.git'), { recursive: true })
  execFileSync('mkfifo', [join(file, '.git')])
  expect(repositoriesOf(...places)).toEqual([
    { top: plain, common: join(plain, '.git') },
    'none',
    'none',
  ])
})
