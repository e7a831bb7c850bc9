import type { Item } from './compile.ts'
import type { Input, Reader } from './input.ts'
import { readLabel } from './label.ts'
import { Marks } from './marks.ts'
import type { PictureContext } from './picture.ts'
import { anyAhead, attempt, eat, space } from './readers.ts'

/**
 * A call's values are read, but its closing mark does not follow. Continues if it is clear what happened:
 *
 *     <tool_call>{…}}</tool_call>        an extra bracket
 *     <a><b>{…}</a>                      one of several closing marks is missing
 *     <tool_call>{…}<tool_call>          the next block begins
 *     <tool_call>{…}</function>          another closing tag
 *     <a><b>{…}</b> text </a>            text between two closing marks
 *
 * Returns the last item that needs no more reading. Undefined: it is not clear.
 */
export function* closeAnyway(
  items: readonly Item[],
  at: number,
  { input, builder, anyCase, openings }: PictureContext,
): Reader<number | undefined> {
  if (!builder.closed || !builder.mayRepair || items.slice(at).some((item) => item.hole))
    return undefined
  const here = input.hold()
  while (isBracket(input.code())) {
    input.cursor++
    yield* space(input)
  }
  const after = input.place
  for (let i = at; i < items.length; i++) {
    if (!(yield* eat(input, items[i]!.token!, anyCase))) continue
    input.release()
    if (after > here) builder.repair('extra-bracket', here, '', after)
    if (i > at) builder.repair('missing-closer', after, drawn(items.slice(at, i)), after)
    return i
  }
  input.back()
  if (input.ended && input.compare(items[at]!.token!, anyCase) === 'part') {
    // The reply was cut inside the closing mark.
    input.cursor = input.end
    return undefined
  }
  if (yield* anyAhead(input, openings)) {
    builder.repair('missing-closer', here, drawn(items.slice(at)), here)
    return items.length
  }
  if (yield* attempt(input, closingTag(input))) {
    builder.repair('wrong-closer', here, items[at]!.token)
    return at
  }
  const stray = items[at - 1]!.token && builder.skipStray
  return stray && (yield* stray(items[at]!.token!)) ? at - 1 : undefined
}

/** The text of marks. */
function drawn(items: readonly Item[]): string {
  return items.map(({ token }) => token).join('')
}

/** } ] */
function isBracket(code: number): boolean {
  return code === 125 || code === 93
}

/** Skips a closing tag of any name. */
export function* closingTag(input: Input): Reader<boolean> {
  if (!(yield* eat(input, '</'))) return false
  return (yield* readLabel(input, TAG_ENDS)) !== undefined && (yield* eat(input, '>'))
}

/** After its `</`, a closing tag contains only the first of these. */
const TAG_ENDS = new Marks(['>', '{', '\n', ' '])
