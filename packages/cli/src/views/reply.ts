import { parse } from '@toolglot/core'
import { refuseEmpty, textOf } from '../input/source.ts'
import { toJson } from '../show/text/json.ts'
import { showReply } from '../show/reply/reply.ts'
import { showSegments } from '../show/reply/segments.ts'
import { colorsOf, columnsOf, write } from '../terminal.ts'
import type { View } from './view.ts'

/** `parse`: a whole reply. For a sample, the wire text is shown first. */
export const viewReply: View = async (source, { options, finish, json }, { output, env }) => {
  const text = await textOf(source)
  refuseEmpty(text)
  const reply = parse(text, { ...options, ...(finish && { finish }) })

  if (json) return write(output, `${toJson(reply, { indent: 2 })}\n`)
  const colors = colorsOf(output, env)
  if ('protocol' in source) await write(output, `${showSegments(text, reply.segments, colors)}\n`)
  await write(output, showReply(text, reply, { colors, columns: columnsOf(output) }))
}
