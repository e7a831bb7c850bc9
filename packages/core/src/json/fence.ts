import type { CallBuilder } from '../read/call-builder.ts'
import { type Lookahead, UNSURE } from '../read/lookahead.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { ahead, DONE, eat, skipSpace, some, space, YES } from '../read/readers.ts'

/** Advances to the `{` of an object, past a code fence or an extra brace around it. */
export function openFence(input: Input, builder: CallBuilder): Reader<boolean> {
  const here = skipSpace(input) && input.code() === 123
  const doubled = here && builder.mayRepair && !builder.markerless && input.compare('{{') !== 'none'
  return here && !doubled ? YES : openSlowly(input, builder)
}

function* openSlowly(input: Input, builder: CallBuilder): Reader<boolean> {
  yield* space(input)
  if ((yield* ahead(input, '```')) && builder.mayRepair) {
    const from = input.place
    input.cursor += 3
    yield* readLabel(input, BEGINS)
    builder.repair('fence', from, '')
  }
  yield* some(input)
  if (input.code() === 123) {
    // How templates escape a brace.
    if (builder.mayRepair && !builder.markerless && (yield* eat(input, '{{'))) {
      input.cursor--
      builder.repair('extra-bracket', input.place - 1, '')
    }
    return true
  }
  return builder.fail(input.length > 0 ? 'syntax' : 'cut', '"{"')
}

/** Whether an object may begin here. */
export function lookAheadAtObject(look: Lookahead, from: number): number {
  const at = look.visible(from)
  if (at < 0 || look.input.code(at) === 123) return Math.min(at, UNSURE)
  const fence = look.input.compare('```', false, at)
  if (fence === 'none') return look.refuse('"{"', at)
  return fence === 'all' ? UNSURE : look.more
}

/** Skips the closing fence, if one was opened. */
export function closeFence(input: Input, builder: CallBuilder): Reader<void> {
  return builder.repairs.includes('fence') ? closeOpened(input, builder) : DONE
}

function* closeOpened(input: Input, builder: CallBuilder): Reader<void> {
  yield* space(input)
  if (yield* eat(input, '```')) builder.repair('fence', input.place - 3, '')
}

const BEGINS = new Marks(['{'])
