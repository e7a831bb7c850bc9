import type { Draft } from '../read/draft.ts'
import { type Look, UNSURE } from '../read/glance.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { ahead, DONE, eat, skipSpace, some, space, YES } from '../read/readers.ts'

/** Advances to the `{` of an object, past a code fence or an extra brace around it. */
export function openFence(input: Input, draft: Draft): Reader<boolean> {
  const here = skipSpace(input) && input.code() === 123
  const doubled = here && draft.mayRepair && !draft.markerless && input.compare('{{') !== 'none'
  return here && !doubled ? YES : openSlowly(input, draft)
}

function* openSlowly(input: Input, draft: Draft): Reader<boolean> {
  yield* space(input)
  if ((yield* ahead(input, '```')) && draft.mayRepair) {
    const from = input.place
    input.cursor += 3
    yield* readLabel(input, BEGINS)
    draft.repair('fence', from, '')
  }
  yield* some(input)
  if (input.code() === 123) {
    // How templates escape a brace.
    if (draft.mayRepair && !draft.markerless && (yield* eat(input, '{{'))) {
      input.cursor--
      draft.repair('extra-bracket', input.place - 1, '')
    }
    return true
  }
  return draft.fail(input.length > 0 ? 'syntax' : 'cut', '"{"')
}

/** Whether an object may begin here. */
export function glanceAtObject(look: Look, from: number): number {
  const at = look.visible(from)
  if (at < 0 || look.input.code(at) === 123) return Math.min(at, UNSURE)
  const fence = look.input.compare('```', false, at)
  if (fence === 'none') return look.refuse('"{"', at)
  return fence === 'all' ? UNSURE : look.more
}

/** Skips the closing fence, if one was opened. */
export function closeFence(input: Input, draft: Draft): Reader<void> {
  return draft.repairs.includes('fence') ? closeOpened(input, draft) : DONE
}

function* closeOpened(input: Input, draft: Draft): Reader<void> {
  yield* space(input)
  if (yield* eat(input, '```')) draft.repair('fence', input.place - 3, '')
}

const BEGINS = new Marks(['{'])
