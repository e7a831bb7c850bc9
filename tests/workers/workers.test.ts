// Loads every entry point that should need only web standards in the runtime of Cloudflare Workers.
// There, code at the top level of a module is more restricted than in Node: no timers, no random
// numbers, and no `new AbortController()`, which only versions newer than the installed one allow.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { folderOf } from '../helpers/folder.ts'
import { entryPointsOf, reachableModules } from '../../packages/agent/test/reachable-modules.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const workerd = fileURLToPath(new URL('node_modules/.bin/workerd', import.meta.url))

/**
 * Packages without `node:` in their description. Their entry points should run anywhere unless they
 * import it.
 */
const PACKAGES = ['core', 'permissions', 'agent', 'managers', 'ai-sdk', 'react', 'server']

/** The built files of the entry points that import nothing from Node, by name. */
const entries = PACKAGES.flatMap((name) => {
  const { exports } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  ) as { exports: Readonly<Record<string, { readonly default: string }>> }
  return Object.entries(entryPointsOf(name)).flatMap(([path, source]) => {
    if (path.includes('*')) return []
    if ([...reachableModules(source)].some((each) => each.startsWith('node:'))) return []
    return { name: join(name, path), file: join(root, 'packages', name, exports[path]!.default) }
  })
})

test('every entry point for web standards can be imported in Workers', async () => {
  const names = entries.map(({ name }) => name)
  for (const expected of ['core', 'permissions', 'agent', 'managers', 'ai-sdk', 'server/gateway'])
    expect(names).toContain(expected)
  const folder = folderOf()
  const input = Object.fromEntries(entries.map((_, at) => [at, join(folder, `${at}.mjs`)]))
  for (const [at, { file }] of entries.entries())
    writeFileSync(
      input[at]!,
      `import * as all from ${JSON.stringify(file)}
       export default { test() { if (Object.keys(all).length === 0) throw new Error('It exports nothing.') } }`,
    )
  // Bundled together: shared modules are read and written once.
  const bundle = await rolldown({
    input,
    logLevel: 'silent',
    resolve: { conditionNames: CONDITIONS },
  })
  const { output } = await bundle.write({ dir: folder, entryFileNames: '[name].js' })
  const chunks = new Map(
    output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])),
  )
  /** A file, followed by all files that it needs. */
  const filesOf = (file: string, found = new Set<string>()): ReadonlySet<string> => {
    const chunk = chunks.get(file)
    if (!chunk || found.has(file)) return found
    found.add(file)
    for (const needed of [...chunk.imports, ...chunk.dynamicImports]) filesOf(needed, found)
    return found
  }
  const services = entries.map(({ name }, at) => {
    const modules = [...filesOf(`${at}.js`)].map(
      (file) => `(name = "${file}", esModule = embed "${file}")`,
    )
    return `(name = "${name}", worker = (compatibilityDate = "2026-01-01", modules = [${modules.join(', ')}]))`
  })
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (services = [${services.join(',\n')}]);`,
  )
  const ended = await promisify(execFile)(workerd, ['test', join(folder, 'config.capnp')]).then(
    ({ stderr }) => stderr,
    (error: { stderr: string }) => Promise.reject(new Error(error.stderr)),
  )
  // The runtime reports each service after its test.
  for (const name of names) expect(ended).toContain(`[ PASS ] ${name}`)
})

const CONDITIONS = ['workerd', 'worker', 'import', 'default']
