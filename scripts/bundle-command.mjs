// Part of npm run build: bundles the modules of the command into a few files, since loading a
// thousand small ones takes half a second. The bundle includes the packages that users' own files
// import, so that they share the same modules.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './ready.mjs'

const folder = join(root, 'packages/cli/bundle')
/**
 * The packages that users' own files can import: see packages/workspace/src/code/import-file.ts.
 */
const shared = ['core', 'agent', 'permissions', 'tools']

/** Bundles the command, unless the bundle is up to date. */
export async function bundleCommand() {
  const packages = readdirSync(join(root, 'packages'))
  const stamp = join(folder, 'shared.json')
  const newest = Math.max(...packages.map((name) => newestIn(join(root, 'packages', name, 'dist'))))
  if (existsSync(stamp) && statSync(stamp).mtimeMs > newest) return
  const names = sharedNames()
  const bundle = await rolldown({
    input: { main: join(root, 'packages/cli/dist/main.js'), ...names },
    platform: 'node',
    // Other packages need the files next to them.
    external: (name, importer) => isPackage(name) && !isBundled(name, importer),
    resolve: { mainFields: ['module', 'main'] },
    plugins: [moduleUrls()],
    logLevel: 'silent',
  })
  rmSync(folder, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: [{ name: 'core', test: (id) => id.includes('/packages/core/dist/') }],
    },
  })
  await bundle.close()
  writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(output.flatMap(modulesOf)))
  writeFileSync(
    stamp,
    JSON.stringify(
      Object.keys(names).map((name) => name.replace('shared/', '@toolglot/')),
      null,
      2,
    ),
  )
}

/**
 * True if a name refers to a third-party package.
 *
 * @param {string} name
 */
function isPackage(name) {
  return !name.startsWith('.') && !isAbsolute(name) && !name.startsWith('@toolglot/')
}

/**
 * Bundles packages of many small files that need no other files, and those used by only one of our
 * packages: the command might load another version.
 *
 * @param {string} name
 * @param {string | undefined} importer
 */
function isBundled(name, importer = '') {
  if (BUNDLED.some((each) => name === each || name.startsWith(`${each}/`))) return true
  const [owner] = relative(join(root, 'packages'), importer).split(sep)
  const folder = name.split('/').slice(0, name.startsWith('@') ? 2 : 1)
  return owner !== undefined && existsSync(join(root, 'packages', owner, 'node_modules', ...folder))
}

const BUNDLED = [
  '@hono/node-server',
  '@huggingface/jinja',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@standard-schema/spec',
  'commander',
  'diff',
  'eventsource-parser',
  'hono',
  'ipaddr.js',
  'jsonc-parser',
  'picocolors',
  'unbash',
  'yaml',
  'zod',
]

/**
 * The entry points that users' own files can import, by the name of their file in the bundle.
 *
 * @returns {Record<string, string>}
 */
function sharedNames() {
  /** @type {[string, string][]} */
  const all = shared.flatMap((name) => {
    const home = join(root, 'packages', name)
    const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([path, { default: file }]) => {
      if (!file.includes('*')) return [[`shared/${join(name, path)}`, join(home, file)]]
      const place = join(home, file.slice(0, file.indexOf('*')))
      return readdirSync(place)
        .filter((each) => each.endsWith('.js'))
        .map((each) => [
          `shared/${join(name, path.replace('*', each.slice(0, -3)))}`,
          join(place, each),
        ])
    })
  })
  return Object.fromEntries(all)
}

/**
 * Makes modules that need other files find them in their own packages.
 *
 * @returns {import('rolldown').Plugin}
 */
function moduleUrls() {
  return {
    name: 'module-urls',
    transform(code, id) {
      const [name, ...path] = relative(join(root, 'packages'), id).split(sep)
      if (path[0] !== 'dist' || !code.includes('import.meta.url')) return undefined
      const home =
        name === 'cli'
          ? "new URL('../dist/index.js', import.meta.url)"
          : `import.meta.resolve('@toolglot/${name}')`
      const url = `new URL(${JSON.stringify(`./${path.slice(1).join('/')}`)}, ${home}).href`
      return code.replaceAll('import.meta.url', () => `(${url})`)
    },
  }
}

/** @param {import('rolldown').OutputChunk | import('rolldown').OutputAsset} file */
function modulesOf(file) {
  return file.type === 'chunk' ? file.moduleIds : []
}

/**
 * The licenses of the third-party packages that modules come from, which must accompany copies of
 * their code.
 *
 * @param {string[]} modules
 */
function licensesOf(modules) {
  const folders = modules.map((path) => path.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0])
  return [...new Set(folders)]
    .filter((path) => path !== undefined)
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(path, 'package.json'), 'utf8'),
      )
      const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each))
      const text = file ? readFileSync(join(path, file), 'utf8').trim() : ''
      return `${name} ${version} (${license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * The time of the newest file.
 *
 * @param {string} place
 * @returns {number}
 */
function newestIn(place) {
  if (!existsSync(place)) return 0
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
  return Math.max(
    0,
    ...files
      .filter((each) => each.name.endsWith('.js'))
      .map((each) => statSync(join(each.parentPath ?? each.path, each.name)).mtimeMs),
  )
}
