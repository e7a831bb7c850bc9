// The documents whose code is checked.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ready.mjs'
import { snippetsIn } from './snippets.mjs'

/** Paths from the root of the repository. */
export const documents = [
  ...['README.md', 'examples/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  ...readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path))),
]

/**
 * The blocks of code in all documents, in these languages.
 *
 * @param {readonly string[]} languages
 */
export function allSnippets(...languages) {
  return documents.flatMap((path) =>
    snippetsIn(path, readFileSync(join(root, path), 'utf8'), languages),
  )
}

/**
 * The position of a block, for the title of a test.
 *
 * @param {import('./snippets.mjs').Snippet} snippet
 */
export function placeOf({ path, line }) {
  return `${path}:${line}`
}
