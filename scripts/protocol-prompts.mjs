// Part of npm run docs: the list of the prompts of built-in protocols, from the list of protocols. It is a list of its own, so that
// programs that only parse do not contain prompts.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const list = new URL('../packages/core/src/protocols/index.ts', import.meta.url)
const prompts = new URL('../packages/core/src/protocol-prompts.ts', import.meta.url)

/** The text of packages/core/src/protocol-prompts.ts. */
export function promptsText() {
  const lines = readFileSync(list, 'utf8').matchAll(/^export \{ (\w+) \} from '\.\/(.+)'$/gm)
  const exported = [...lines].map(
    ([, name, file]) => `export { prompt as ${name} } from './protocols/${file}'\n`,
  )
  return `// Written by npm run docs from protocols/index.ts.\n${exported.join('')}`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(prompts, promptsText())
}
