// Part of npm run docs: what the files of built-in protocols export beside the protocol, each in a list of its own, so that programs
// contain only what they use. They are written from the list of protocols.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const folder = new URL('../packages/core/src/', import.meta.url)

/** The lists, by what they list. */
export const lists = { family: 'protocol-families.ts', prompt: 'protocol-prompts.ts' }

/** The text of a list. @param {string} exported */
export function listOf(exported) {
  const protocols = readFileSync(new URL('protocols/index.ts', folder), 'utf8')
  const lines = [...protocols.matchAll(/^export \{ (\w+) \} from '\.\/(.+)'$/gm)].map(
    ([, name, file]) => `export { ${exported} as ${name} } from './protocols/${file}'\n`,
  )
  return `// Written by npm run docs from protocols/index.ts.\n${lines.join('')}`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [exported, file] of Object.entries(lists))
    writeFileSync(new URL(file, folder), listOf(exported))
}
