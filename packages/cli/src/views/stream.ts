import { setTimeout as pause } from 'node:timers/promises'
import { createParser, type Event } from '@toolglot/core'
import { piecesOf } from '../input/pieces.ts'
import { refuseEmpty, textOf, type Source } from '../input/source.ts'
import { showChunk, showStreamHeader } from '../show/events.ts'
import { toJson } from '../show/json.ts'
import { colorsOf, write } from '../terminal.ts'
import type { View } from './view.ts'

/** The events of a reply while it arrives, each beside the chunk that set it free. */
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

const size = 8
const pace = { each: 25, all: 4000 }

/** A file comes in small pieces, and slowly enough to be watched. */
async function* chunksOf(source: Source, isWatched: boolean): AsyncIterable<string> {
  if (source.isLive) return yield* source.chunks

  const text = await textOf(source)
  const delay = Math.min(pace.each, (pace.all * size) / text.length)
  for (const piece of piecesOf(text, size)) {
    if (isWatched && delay >= 1) await pause(delay)
    yield piece
  }
}
