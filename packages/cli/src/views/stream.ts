// Folder: The views of `toolglot parse`.
import { setTimeout as pause } from 'node:timers/promises'
import { createParser, type Event, type Finish, type ParserOptions } from '@toolglot/core'
import { refuseEmpty, textOf, type Source } from '../input/source.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, write, type Colors, type Terminal } from '../terminal.ts'
import { cautionsFor } from '../show/reply/call.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { truncate, displayWidth } from '../show/text/table.ts'

const chunkColumn = 20

const eventColumn = 12

/**
 * `parse --stream`: shows the events of a reply as it arrives, next to the chunks that produced
 * them.
 */
export const viewStream: View = async (source, { options, finish, json }, { output, env }) => {
  const parser = createParser(options)
  const colors = colorsOf(output, env)
  const show = (chunk: string, events: readonly Event[]): Promise<void> =>
    write(
      output,
      json
        ? events.map((event) => `${toJson(event)}\n`).join('')
        : showChunk(chunk, events, colors),
    )

  const isWatched = output.isTTY === true && !json
  let isEmpty = true
  for await (const chunk of chunksOf(source, isWatched)) {
    if (isEmpty && !json) await write(output, showStreamHeader(colors))
    isEmpty = false
    await show(chunk, parser.feed(chunk))
  }
  if (isEmpty) refuseEmpty('')
  await show('(end)', parser.end(finish ? { finish } : {}))
}

/** In characters. */
const CHUNK_SIZE = 8
/** In milliseconds. */
const MAX_DELAY = { perChunk: 25, total: 4000 }

/** A file is read in small chunks, slowly enough to be watched. */
async function* chunksOf(source: Source, isWatched: boolean): AsyncIterable<string> {
  if (source.isLive) return yield* source.chunks

  const text = await textOf(source)
  const delay = Math.min(MAX_DELAY.perChunk, (MAX_DELAY.total * CHUNK_SIZE) / text.length)
  for (const piece of piecesOf(text, CHUNK_SIZE)) {
    if (isWatched && delay >= 1) await pause(delay)
    yield piece
  }
}

/** Splits a text into small chunks, as a model would send them. */
function* piecesOf(text: string, size: number): Iterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** The heading of the two columns of a stream. */
function showStreamHeader(colors: Colors): string {
  return `${colors.dim(`${pad('chunk', chunkColumn)}event`)}\n`
}

/** A chunk and the events it produced. While the parser is undecided, there are no events. */
function showChunk(chunk: string, events: readonly Event[], colors: Colors): string {
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
      const notes = cautionsFor(event.call).map((caution) => colors.yellow(`! ${line(caution)}`))
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

/** Options for parsing and showing a reply. */
export interface ViewOptions {
  readonly options: ParserOptions
  readonly finish?: Finish
  readonly json: boolean
}

/** Parses a reply and shows it in one form. */
export type View = (source: Source, reading: ViewOptions, terminal: Terminal) => Promise<void>
