// npm run example -- NAME: runs examples/NAME.ts on any Node that Toolglot supports. Node 20 does not read TypeScript.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ready, root } from './ready.mjs'

const folder = join(root, 'examples')
const [name = ''] = process.argv.slice(2)
const file = join(folder, `${name}.ts`)
if (!/^[\w-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(folder).flatMap((each) => each.match(/^([\w-]+)\.ts$/)?.[1] ?? [])
  console.error(`Choose an example: npm run example -- NAME\n${names.join('\n')}`)
  process.exit(2)
}

ready({ light: true })
const { rolldown } = await import('rolldown')
const bundle = await rolldown({ input: file, platform: 'node', external: /^[^./]/ })
const dir = join(folder, 'dist')
await bundle.write({ dir, entryFileNames: `${name}.js` })
await bundle.close()
process.argv = [process.execPath, join(dir, `${name}.js`)]
await import(pathToFileURL(join(dir, `${name}.js`)).href)
