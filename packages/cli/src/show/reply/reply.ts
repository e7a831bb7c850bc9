import type { Malformed, Reply, Segment } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { block, column, wrap } from '../text/table.ts'
import { showCall } from './call.ts'
import { position, showPlace } from '../text/place.ts'
import { visible, visibleLine } from '@toolglot/workspace/internal'

/** The colors and the width for showing a reply. */
export interface ShowReplyOptions {
  readonly colors: Colors
  readonly columns: number
}

/** A parsed reply: its segments in order, and a last line with their counts. */
export function showReply(text: string, reply: Reply, look: ShowReplyOptions): string {
  const blocks = reply.segments
    .map((segment) => showSegment(text, segment, look))
    .filter((shown) => shown !== '')
  return [...blocks, summary(reply, look.colors)].join('\n')
}

function showSegment(
  text: string,
  segment: Segment,
  { colors, columns }: ShowReplyOptions,
): string {
  const { dim, yellow, magenta } = colors
  const piece = (): string[] =>
    linesOf(text.slice(...segment.span), magenta).flatMap((line) => wrap(line, columns - column))

  switch (segment.type) {
    case 'text':
      return blockOf('text', dim, piece())
    case 'reasoning':
      return blockOf('reasoning', dim, piece().map(dim))
    case 'call':
      return showCall(segment.call, colors)
    case 'malformed':
      return showMalformed(text, segment, colors)
    case 'result':
      return blockOf('result', yellow, [
        yellow('! the model made this result up: no tool was run'),
        ...piece().map(dim),
      ])
    case 'mark':
      return ''
  }
}

/** A malformed block: its problem and the position. */
function showMalformed(text: string, { problem, hint, at }: Malformed, colors: Colors): string {
  return block('malformed', colors.red, [
    `${colors.bold(problem)}  ${colors.dim(position(text, at))}`,
    ...showPlace(text, [at, at + 1], colors),
    visibleLine(hint),
  ])
}

/** Empty for a segment of whitespace. */
function blockOf(label: string, paint: (label: string) => string, lines: string[]): string {
  return lines.length === 0 ? '' : block(label, paint, lines)
}

/** The lines of a text, without empty lines at the start and the end. */
function linesOf(text: string, paint: (escaped: string) => string): string[] {
  const lines = visible(text, paint).split('\n')
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines.slice(lines.findIndex((line) => line.trim() !== ''))
}

function summary({ calls, segments }: Reply, colors: Colors): string {
  const count = (type: Segment['type']): number =>
    segments.filter((segment) => segment.type === type).length
  const repaired = calls.filter(({ repairs }) => repairs.length > 0).length
  const cut = calls.filter(({ complete }) => !complete).length
  const malformed = count('malformed')
  const forged = count('result')

  const parts = [
    `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`,
    repaired > 0 && `${repaired} repaired`,
    cut > 0 && `${cut} cut`,
    malformed > 0 && `${malformed} malformed`,
    forged > 0 && `${forged} forged ${forged === 1 ? 'result' : 'results'}`,
  ]
  return `${colors.dim(parts.filter(Boolean).join(', '))}\n`
}
