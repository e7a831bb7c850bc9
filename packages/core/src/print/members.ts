import type { Printing } from '../hole.ts'
import type { MemberPictures } from '../holes/each.ts'
import { key as keyHole } from '../holes/labels.ts'
import { tokens } from '../read/compile.ts'
import { writtenKey } from '../read/written-key.ts'
import type { Wire } from '../wire.ts'
import { asText } from './as-text.ts'

/** Prints each argument in the first picture that can carry it. Those that are `literal` would otherwise mean something else. */
export function printMembers(
  { call, wire }: Printing,
  members: MemberPictures,
  isLiteral: (key: string) => boolean = () => false,
): string[] {
  const { pictures } = members
  return Object.entries(call.args).map(([key, value]) => {
    const picture = pictures.find((one) => carries(one, members, value)) ?? pictures[0]!
    const next = picture
      .slice(picture.indexOf(keyHole) + 1)
      .find((part) => typeof part === 'string')
    return wire(picture, [writtenKey(key, next, isLiteral(key)), value])
  })
}

/** Whether a picture can carry a value: it contains neither what would end it nor what only specific pictures can carry. */
function carries(picture: Wire, { pictures, avoid }: MemberPictures, value: unknown): boolean {
  const text = asText(value)
  const closing = picture.at(-1)
  if (typeof closing === 'string' && text.includes(tokens(closing)[0]!)) return false
  return picture !== pictures[0] || !avoid.some((mark) => text.includes(mark))
}
