import { setTimeout as pause } from 'node:timers/promises'
import { createParser, type Event } from '@toolglot/core'
import { refuseEmpty, textOf, type Source } from '../input/source.ts'
import { showChunk, showStreamHeader } from '../show/reply/events.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, write } from '../terminal.ts'
import type { View } from './view.ts'

/** `parse --stream`: the events of a reply as it arrives, next to the chunks that produced them. */
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

/** A file is fed in small chunks, and slowly enough to be watched. */
async function* chunksOf(source: Source, isWatched: boolean): AsyncIterable<string> {
  if (source.isLive) return yield* source.chunks

  const text = await textOf(source)
  const delay = Math.min(MAX_DELAY.perChunk, (MAX_DELAY.total * CHUNK_SIZE) / text.length)
  for (const piece of piecesOf(text, CHUNK_SIZE)) {
    if (isWatched && delay >= 1) await pause(delay)
    yield piece
  }
}

/** Cuts a text into small chunks, as a model would send them. */
function* piecesOf(text: string, size: number): Iterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
