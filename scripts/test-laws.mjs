// npm run test:laws [-- <files>]: tries laws on all that they are tried on, with a seed of its own, which is printed.
// npm test tries them on a fifth of that, and always with the same seed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ready, root } from './ready.mjs'

ready()
const seed = process.env['LAWS_SEED'] ?? String(Date.now() | 0)
const given = process.argv.slice(2)
const files = given.length > 0 ? given : lawFiles()
console.log(`To try the same again: LAWS_SEED=${seed} npm run test:laws`)
const program = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [program, 'run', ...files], {
  cwd: root,
  env: { ...process.env, LAWS: 'long', LAWS_SEED: seed },
  stdio: 'inherit',
})
process.exitCode = status ?? 1

/** The tests whose number of cases depends on it. */
function lawFiles() {
  return ['packages', 'tests/shell']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .filter((path) => /\/runs\.ts'/.test(readFileSync(join(root, path), 'utf8')))
}
