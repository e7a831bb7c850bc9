import { styleText } from 'node:util'
import { number, shown } from './figure.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */
/** @typedef {import('./speed.mjs').Speed} Speed */
/** @typedef {import('./speed.mjs').Table} Table */

/** @typedef {Parameters<typeof styleText>[0]} Style */

/**
 * @param {Table} table
 * @returns {string[][]} a header and a row for each reader
 */
export function gridOf({ rows }) {
  const sizes = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  return [
    ['MB/s', ...sizes],
    ...Object.entries(rows).map(([name, row]) => [name, ...sizes.map((size) => cell(row[size]))]),
  ]
}

/** @param {Speed | undefined} speed */
function cell(speed) {
  if (!speed) return '-'
  return speed.late ? `> ${number(speed.ms / 1000)} s` : number(speed.rate)
}

/** @param {Table} table */
export function printTable(table) {
  console.log(`\n${paint('bold', `${table.text}, ${table.delivery}`)}`)
  const grid = gridOf(table)
  for (const [index, [name = '', ...cells]] of grid.entries()) {
    const line = `  ${name.padEnd(32)}${cells.map((each) => each.padStart(10)).join('')}`
    console.log(
      index === 0 ? paint('dim', line) : name.startsWith('toolglot') ? paint('cyan', line) : line,
    )
  }
}

const COLOURS = /** @type {const} */ ({ ok: 'green', MISSED: 'red', open: 'yellow', only: 'gray' })

/** Prints figures as they are measured, with a title for each group. */
export function figurePrinter() {
  let group = ''
  return (/** @type {Figure} */ figure) => {
    if (figure.group !== group) console.log(`\n${paint('bold', figure.group)}`)
    group = figure.group
    const { value, goal } = shown(figure)
    const verdict = paint(COLOURS[figure.verdict], figure.verdict.padEnd(6))
    const name = shorten(figure.name, 62).padEnd(62)
    const detail = paint('dim', figure.detail)
    console.log(`  ${name}${value.padStart(10)}  ${goal.padEnd(10)} ${verdict} ${detail}`.trimEnd())
  }
}

/**
 * @param {string} text
 * @param {number} length
 */
function shorten(text, length) {
  const line = text.replaceAll('\n', '\\n')
  return line.length > length ? `${line.slice(0, length - 2)}… ` : line
}

/**
 * @param {Style} style
 * @param {string} text
 */
export function paint(style, text) {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText(style, text) : text
}
