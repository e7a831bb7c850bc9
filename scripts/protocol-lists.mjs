// Part of npm run docs: lists of the built-in protocols and of the other exports of their files, in
// the order of packages/core/src/protocols/index.ts. Each list is a separate file, so that programs
// contain only what they use. They are plain arrays, because an object with all their names would
// be half a kilobyte larger.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const folder = new URL('../packages/core/src/', import.meta.url)

/**
 * For each list: the export of each protocol's file (default: the protocol itself), its type, and
 * the file to write.
 */
export const lists = [
  { list: 'builtIn', type: 'Protocol', file: 'protocol-list.ts' },
  { list: 'families', type: 'Family', exported: 'family', file: 'protocol-families.ts' },
  { list: 'prompts', type: 'Prompt', exported: 'prompt', file: 'protocol-prompts.ts' },
]

/**
 * The text of a list.
 *
 * @param {(typeof lists)[number]} _
 */
export function textOf({ list, type, exported }) {
  const index = readFileSync(new URL('protocols/index.ts', folder), 'utf8')
  const lines = [...index.matchAll(/^export \{ (\w+) \} from '\.\/(.+)'$/gm)]
  const imports = lines.map(([, name, file]) => {
    return `import { ${exported ? `${exported} as ` : ''}${name} } from './protocols/${file}'\n`
  })
  return `// Written by npm run docs from protocols/index.ts.
import type { ${type} } from './protocol.ts'
${imports.join('')}
export const ${list}: readonly ${type}[] = [
${lines.map(([, name]) => `  ${name},\n`).join('')}]
`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const each of lists) writeFileSync(new URL(each.file, folder), textOf(each))
}
