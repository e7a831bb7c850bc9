import { explain } from '@toolglot/core'
import { refuseEmpty, textOf } from '../input/source.ts'
import { showExplanations } from '../show/reply/explanations.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, write } from '../terminal.ts'
import type { View } from './view.ts'

/** `parse --explain`: why a reply was read the way it was. */
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
