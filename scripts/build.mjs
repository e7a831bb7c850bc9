// npm run build: compiles every package, and builds the page if its sources have changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleCommand } from './bundle-command.mjs'
import { memory, root } from './ready.mjs'

const page = join(root, 'packages/server/page')
const stamp = join(root, 'packages/web/dist/built-from')
const sources = [
  'package-lock.json',
  'packages/web/index.html',
  'packages/web/theme-first.plugin.ts',
  'packages/web/package.json',
  'packages/web/public',
  'packages/web/src',
  'packages/web/vite.config.ts',
  'packages/core/src',
  'packages/react/src',
  'packages/server/src/anywhere',
  'packages/server/src/client',
]

run('typescript/bin/tsc', ['-b'], root)
await bundleCommand()
const hash = hashOf(sources)
if (!existsSync(page) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  run('vite/bin/vite.js', ['build', '--logLevel', 'warn'], join(root, 'packages/web'))
  compress(join(page, 'assets'))
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/**
 * @param {string} program in node_modules
 * @param {string[]} words
 * @param {string} cwd
 */
function run(program, words, cwd) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...words], {
    cwd,
    env: { ...process.env, ...memory },
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Adds a compressed copy of every file that becomes smaller: most browsers accept it, and the
 * server doesn't have to compress.
 *
 * @param {string} folder
 */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(css|js|svg)$/.test(name)) continue
    writeFileSync(
      join(folder, `${name}.gz`),
      gzipSync(readFileSync(join(folder, name)), { level: 9 }),
    )
  }
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .filter((name) => !name.includes('.test.'))
    .flatMap((name) => filesIn(`${path}/${name}`))
}
