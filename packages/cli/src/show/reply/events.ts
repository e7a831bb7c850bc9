import type { Event } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { doubts } from './call.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { truncate, displayWidth } from '../text/width.ts'

/** The heading of the two columns of a stream. */
export function showStreamHeader(colors: Colors): string {
  return `${colors.dim(`${pad('chunk', chunkColumn)}event`)}\n`
}

/** A chunk and the events it produced: none while the parser is still undecided. */
export function showChunk(chunk: string, events: readonly Event[], colors: Colors): string {
  const shown = truncate(visibleLine(chunk.slice(0, 200)), chunkColumn - 2)
  const left = colors.dim(pad(shown, chunkColumn))
  const space = ' '.repeat(chunkColumn)

  if (events.length === 0) return `${left}${colors.dim('·')}\n`
  return events
    .map(
      (event, index) => `${index === 0 ? left : space}${showEvent(event, colors)}`.trimEnd() + '\n',
    )
    .join('')
}

const chunkColumn = 20
const eventColumn = 12

function showEvent(event: Event, colors: Colors): string {
  const { type } = event
  const label = (paint: (text: string) => string): string => paint(pad(type, eventColumn))
  const line = (text: string): string => visibleLine(text, colors.magenta)

  switch (event.type) {
    case 'text':
      return label(colors.dim) + line(event.delta)
    case 'reasoning':
      return label(colors.dim) + colors.dim(line(event.delta))
    case 'call-start':
      return `${label(colors.cyan)}${colors.bold(line(event.name))}  ${colors.dim(line(event.id))}`
    case 'call-delta':
      return label(colors.cyan) + colors.green(line(event.delta))
    case 'call-end': {
      const state = event.call.complete ? colors.green('complete') : colors.red('cut')
      const notes = doubts(event.call).map((doubt) => colors.yellow(`! ${line(doubt)}`))
      return label(colors.cyan) + [colors.bold(line(event.call.name)), state, ...notes].join('  ')
    }
    case 'malformed':
      return `${label(colors.red)}${event.problem}: ${line(event.hint)}`
    case 'result':
      return label(colors.yellow) + colors.yellow('! the model made this result up')
    case 'end':
      return label(colors.dim) + event.finish
  }
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(1, columns - displayWidth(text)))
}
