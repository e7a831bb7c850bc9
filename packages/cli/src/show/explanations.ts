import { protocols, type Explanation } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { exampleCall } from './example-call.ts'
import { position, showPlace } from './place.ts'
import { table } from './table.ts'
import { visibleLine } from '@toolglot/workspace/internal'

/** Why a reply was read as it was: how far each protocol came, and where the best of them stopped. */
export function showExplanations(
  text: string,
  explanations: readonly Explanation[],
  colors: Colors,
): string {
  const isRead = explanations.some(({ calls }) => calls > 0)
  const isCut = ({ furthest }: Explanation): boolean => furthest?.at === text.length
  // Where a call was read, that others could not read it is no news.
  const stopped = explanations.filter(
    (each) => each.furthest && (!isRead || each.malformed > 0 || isCut(each)),
  )

  return [
    showTable(text, explanations, colors),
    ...stopped.slice(0, 3).map((explanation) => showStop(text, explanation, colors)),
    showVerdict(explanations, colors),
  ].join('\n')
}

function showTable(text: string, explanations: readonly Explanation[], colors: Colors): string {
  const rows = explanations.map(({ protocol, opened, calls, malformed, furthest }) => [
    protocol,
    String(opened),
    String(calls),
    String(malformed),
    furthest ? position(text, furthest.at) : '',
  ])
  const header = ['protocol', 'opened', 'calls', 'malformed', 'stopped at']
  return table([header, ...rows], (cell, row) => {
    const explanation = explanations[row - 1]
    if (!explanation || explanation.opened === 0) return colors.dim(cell)
    return explanation.calls > 0 ? colors.green(cell) : colors.yellow(cell)
  })
}

function showStop(text: string, { protocol, furthest }: Explanation, colors: Colors): string {
  if (!furthest) return ''
  const { at, expected, found } = furthest
  const isEnd = at >= text.length
  return [
    `${colors.yellow(protocol)}  ${colors.dim(position(text, at))}`,
    ...showPlace(text, [at, at + 1], colors).map((line) => `  ${line}`),
    `  expected  ${visibleLine(expected)}`,
    `  got       ${isEnd ? 'the end of the reply' : visibleLine(found)}`,
    `  do        ${isEnd ? 'let the model write on' : 'correct it, or show the model an example'}`,
    '',
  ].join('\n')
}

function showVerdict(explanations: readonly Explanation[], colors: Colors): string {
  const readers = explanations.filter(({ calls }) => calls > 0)
  if (readers.length > 0) {
    return `${colors.green('read')} by ${readers.map(({ protocol }) => protocol).join(', ')}\n`
  }
  const [best] = explanations.filter(({ opened }) => opened > 0)
  const protocol = best && protocols[best.protocol]
  if (protocol) {
    const lines = exampleCall(protocol).split('\n')
    const example = lines.map((line) => `  ${colors.cyan(line)}\n`).join('')
    return `An example of a call in ${protocol.id}:\n${example}`
  }
  return explanations.length < Object.keys(protocols).length
    ? 'Nothing in this reply begins a call in these protocols: leave --protocol out to try all.\n'
    : 'Nothing in this reply begins a call: to every protocol it is text. Was the model told how to\n' +
        'write calls? toolglot protocols shows how they look.\n'
}
