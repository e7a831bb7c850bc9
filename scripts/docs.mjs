// Writes what the documents say of the protocols, from the protocols themselves.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { printCall, protocols } from '@toolglot/core'

const readme = new URL('../README.md', import.meta.url)

/** The README with its table of protocols brought up to date. @param {string} text */
export function withTable(text) {
  const rows = Object.values(protocols).map((protocol) => {
    const call = printCall(protocol, { name: 'read_file', args: { path: 'a.md' }, id: 'a1B2c3D4e' })
    return `| \`${protocol.id}\` | ${protocol.about} | \`${call.trim().replaceAll('\n', '⏎')}\` |`
  })
  const [before, rest] = text.split('<!-- protocols -->\n')
  const after = rest?.split('<!-- /protocols -->')[1]
  if (after === undefined)
    throw new Error('README.md has no <!-- protocols --> … <!-- /protocols -->')
  const head = '| id | who writes it | wire text |\n|---|---|---|'
  return `${before}<!-- protocols -->\n${head}\n${rows.join('\n')}\n<!-- /protocols -->${after}`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8')))
}
