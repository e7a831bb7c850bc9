import { mkdirSync, writeFileSync } from 'node:fs'
import { shown } from './figure.mjs'
import { gridOf } from './report.mjs'

/**
 * @typedef {object} Results
 * @property {ReturnType<typeof import('./machine.mjs').describeMachine>} machine
 * @property {import('./speed.mjs').Table[]} tables
 * @property {import('./figure.mjs').Figure[]} figures
 * @property {string[]} notes
 * @property {string[]} failures
 */

const folder = new URL('results/', import.meta.url)

/**
 * Writes bench/results/latest.json and latest.md.
 *
 * @param {Results} results
 */
export function writeResults(results) {
  mkdirSync(folder, { recursive: true })
  const json = JSON.stringify(results, round, 2)
  writeFileSync(new URL('latest.json', folder), `${json}\n`)
  writeFileSync(new URL('latest.md', folder), markdownOf(results))
}

/**
 * @param {string} _key
 * @param {unknown} value
 */
function round(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}

/** @param {Results} results */
function markdownOf({ machine, tables, figures, notes, failures }) {
  const { peers, ...rest } = machine
  const about = Object.entries({ ...rest, ...peers }).map(([name, value]) => `- ${name}: ${value}`)
  const groups = [...new Set(figures.map(({ group }) => group))]

  return `${[
    '# Reading speed',
    'Written by `npm run bench`: medians of one run with all readers. Compare ratios: the MB/s depend on',
    'the machine and its load. One MB is 10^6 characters. `> 6 s` was stopped after that time.',
    '',
    ...about,
    '',
    '## Goals',
    ...groups.flatMap((group) => figureTable(group, figures)),
    '',
    '## MB/s',
    'JSON readers get only the arguments, all others the whole reply.',
    ...tables.flatMap((table) => [
      '',
      `### ${table.text}, ${table.delivery}`,
      '',
      ...grid(gridOf(table)),
    ]),
    ...list('Notes', notes),
    ...list('Wrong', failures),
  ].join('\n')}\n`
}

/**
 * @param {string} group
 * @param {import('./figure.mjs').Figure[]} figures
 */
function figureTable(group, figures) {
  const rows = figures
    .filter((figure) => figure.group === group)
    .map((figure) => {
      const { value, goal } = shown(figure)
      return [code(figure.name), value, goal, figure.verdict, figure.detail]
    })
  return ['', `### ${group}`, '', ...grid([['', 'figure', 'goal', '', 'from'], ...rows])]
}

/** @param {string[][]} rows */
function grid(rows) {
  const [head = [], ...body] = rows
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...body.map(line)]
}

/**
 * @param {string} title
 * @param {string[]} lines
 */
function list(title, lines) {
  return lines.length > 0 ? ['', `## ${title}`, '', ...lines.map((each) => `- ${code(each)}`)] : []
}

/**
 * Escapes markup.
 *
 * @param {string} text
 */
function code(text) {
  return /[<`{[]/.test(text) ? `\`\` ${text.trim().replaceAll('\n', '\\n')} \`\`` : text
}
