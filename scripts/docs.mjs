// npm run docs: writes docs/protocols.md from the protocols themselves, the tables of parameters in
// docs/gateway.md, the description of the API in packages/server/openapi.json, the table of its
// endpoints in docs/http-api.md, and the JSON Schema of settings.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { familyOf, printCall, printResult, protocols } from '@toolglot/core'
import { gatewayParameters } from '@toolglot/server/gateway'
import { describeApi } from '@toolglot/server/internal'
import { settingsSchema } from '@toolglot/workspace'

/** @typedef {import('@toolglot/core').Protocol} Protocol */

const page = new URL('../docs/protocols.md', import.meta.url)
const gatewayPage = new URL('../docs/gateway.md', import.meta.url)
const apiPage = new URL('../docs/http-api.md', import.meta.url)
const apiDocument = new URL('../packages/server/openapi.json', import.meta.url)
const settingsFile = new URL('../packages/workspace/settings.schema.json', import.meta.url)
const fixtures = new URL('../packages/core/test/fixtures/', import.meta.url)

const call = { name: 'read_file', args: { path: 'a.md' }, id: 'a1B2c3D4e' }

/** The text of docs/protocols.md. */
export function protocolsPage() {
  const all = Object.values(protocols)
  const models = listsIn('model-names.txt')
  const quirks = listsIn('quirks.txt')
  const rows = all.map((protocol) => {
    const known = models.get(protocol.id)?.length ? 'by name' : 'in the prompt'
    const { about } = familyOf(protocol)
    return `| [\`${protocol.id}\`](#${anchor(protocol)}) | ${prose(about)} | ${known} |`
  })
  const sections = all.map((protocol) =>
    section(protocol, models.get(protocol.id) ?? [], quirks.get(protocol.id) ?? []),
  )
  return `<!-- Written by npm run docs from packages/core/src/protocols and packages/core/test/fixtures. -->

# Protocols

${all.length} protocols in which models write calls and receive results. \`toolglot protocols --model NAME\` and
\`protocolFor(name)\` find the protocol by a model's name. Protocols marked "in the prompt" work with any model, because the
prompt explains them. To add one, see [CONTRIBUTING.md](../CONTRIBUTING.md#add-a-protocol).

| protocol | models and form | selected |
|---|---|---|
${rows.join('\n')}

${sections.join('\n\n')}
`
}

/**
 * @param {Protocol} protocol
 * @param {string[]} models
 * @param {string[]} quirks
 */
function section(protocol, models, quirks) {
  const names = models.map((name) => `\`${name}\``)
  const shown = names.length > 6 ? [...names.slice(0, 6), `${names.length - 6} more`] : names
  return [
    `## \`${protocol.id}\``,
    `${prose(familyOf(protocol).about)}.${shown.length > 0 ? ` Models: ${listed(shown)}.` : ''}`,
    'A call and its result:',
    block(printCall(protocol, call)),
    block(printResult(protocol, { call, output: '# Hello' })),
    ...(quirks.length > 0 ? [quirks.map((quirk) => `- ${quirk}`).join('\n')] : []),
  ].join('\n\n')
}

/**
 * The lines under each id in a file of lists: an id, its lines, and an empty line.
 *
 * @param {string} file
 */
export function listsIn(file) {
  const text = readFileSync(new URL(file, fixtures), 'utf8').replace(/^#.*\n/gm, '')
  return new Map(
    text
      .trim()
      .split(/\n{2,}/)
      .map((lines) => lines.split('\n'))
      .map(([id = '', ...members]) => [id, members]),
  )
}

/**
 * GitHub's anchor for a heading.
 *
 * @param {Protocol} protocol
 */
function anchor({ id }) {
  return id.replaceAll('.', '')
}

/** @param {string[]} words */
function listed(words) {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/**
 * Text with markup escaped.
 *
 * @param {string} text
 */
function prose(text) {
  return text.replaceAll('<', '\\<')
}

/**
 * Text as a code block, with a fence longer than any in it.
 *
 * @param {string} text
 */
function block(text) {
  const fence = '`'.repeat(longest(text) < 3 ? 3 : longest(text) + 1)
  return `${fence}text\n${text.replace(/^\n+|\n+$/g, '')}\n${fence}`
}

/**
 * The length of the longest run of backticks.
 *
 * @param {string} text
 */
function longest(text) {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
}

/** The text of docs/gateway.md with the current tables of parameters. */
export function gatewayText() {
  const tables = [...gatewayParameters].map(([path, parameters]) => {
    const rows = [...groupsOf(parameters)].map(
      ([what, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${what} |`,
    )
    return `\`${path}\`:\n\n| parameter | |\n|---|---|\n${rows.join('\n')}`
  })
  return between(gatewayPage, 'parameters', tables.join('\n\n'))
}

/** The text of docs/http-api.md with all current endpoints. */
export function httpApiText() {
  const operations = Object.entries(describeApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => ({
      subject: tags[0] ?? '',
      row: `| \`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}\` | ${cell(summary)} |`,
    })),
  )
  const subjects = [...new Set(operations.map(({ subject }) => subject))].sort()
  const rows = subjects.flatMap((subject) =>
    operations.filter((each) => each.subject === subject).map(({ row }) => row),
  )
  return between(apiPage, 'endpoints', `| endpoint | |\n|---|---|\n${rows.join('\n')}`)
}

/** The text of packages/server/openapi.json. */
export function openApiText() {
  return `${JSON.stringify(describeApi(), null, 2)}\n`
}

/**
 * Text as a cell of a table.
 *
 * @param {string} text
 */
function cell(text) {
  return prose(text).replaceAll('|', '\\|')
}

/**
 * A page with a new text between its marks.
 *
 * @param {URL} file
 * @param {string} name
 * @param {string} text
 */
function between(file, name, text) {
  const begin = `<!-- ${name}: written by npm run docs -->`
  const end = `<!-- end of ${name} -->`
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin)
  const [, after = ''] = rest.split(end)
  return `${before}${begin}\n\n${text}\n\n${end}${after}`
}

/**
 * The names of parameters with the same treatment and note.
 *
 * @param {readonly { name: string, treatment: string, note?: string }[]} parameters
 */
function groupsOf(parameters) {
  /** @type {Map<string, string[]>} */
  const groups = new Map()
  for (const { name, treatment, note } of parameters) {
    const what = `**${treatment}**${note === undefined ? '' : `: ${note}`}`
    groups.set(what, [...(groups.get(what) ?? []), name])
  }
  return groups
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(page, protocolsPage())
  writeFileSync(gatewayPage, gatewayText())
  writeFileSync(apiPage, httpApiText())
  writeFileSync(apiDocument, openApiText())
  writeFileSync(settingsFile, settingsSchema())
}
