import { explain, protocols, type Explanation } from '@toolglot/core'
import { refuseEmpty, textOf } from '../input/source.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, write, type Colors } from '../terminal.ts'
import type { View } from './stream.ts'
import { exampleCall } from '../show/reply/call.ts'
import { position, showPlace } from '../show/text/place.ts'
import { table } from '../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'

/** `parse --explain`: explains how a reply was read. */
export const viewExplanations: View = async (source, { options, json }, { output, env }) => {
  const text = await textOf(source)
  refuseEmpty(text)
  const explanations = explain(text, options)

  await write(
    output,
    json
      ? `${toJson(explanations, { indent: 2 })}\n`
      : showExplanations(text, explanations, colorsOf(output, env)),
  )
}

/** Explains how a reply was parsed: how far each protocol got, and where the best ones stopped. */
export function showExplanations(
  text: string,
  explanations: readonly Explanation[],
  colors: Colors,
): string {
  const isRead = explanations.some(({ calls }) => calls > 0)
  const isCut = ({ furthest }: Explanation): boolean => furthest?.at === text.length
  // Once one protocol has found a call, the failures of other protocols don't matter.
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
    `  fix       ${isEnd ? 'let the model continue' : 'correct the call, or show the model an example'}`,
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
    return `Example of a call in ${protocol.id}:\n${example}`
  }
  return explanations.length < Object.keys(protocols).length
    ? 'Nothing in this reply starts a call in these protocols. Omit --protocol to try all.\n'
    : 'Nothing in this reply starts a call: every protocol reads it as text. Did the prompt tell the\n' +
        'model how to write calls? See toolglot protocols for examples.\n'
}
