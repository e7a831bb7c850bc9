import type { Reader } from './input.ts'
import type { Marks } from './marks.ts'
import type { Message } from './message.ts'
import { until, isSpace } from './readers.ts'
import { wasCut } from './failure.ts'

/** A stretch of text in which marks are data if it closes: reasoning, a fence or a code span. */
interface Region {
  /** The marks at which the region may end. */
  readonly ends: Marks
  /**
   * At such a mark: returns that the region ends here or never ends, or the number of characters
   * that are content. Consumes nothing.
   */
  end(): Reader<'closed' | 'unclosed' | number>
  /** Receives the text that was read last. */
  readonly give: (text: string) => void
  /**
   * At the region's end: true if nothing visible follows, so that calls in it count after all.
   * Consumes nothing.
   */
  isLast?(): Reader<boolean>
}

/** The amount of text to hold back while it is undecided whether marks in a region are data. */
const MAX_HELD = 1 << 16

/**
 * The number of characters that may be read twice, as happens to regions that never close. Beyond
 * that, marks in them are data.
 */
const MAX_REREAD = 1 << 20

/**
 * Reads a region and stops before its end. Text is passed on as it arrives, up to the first opening
 * of a call; from there it is held back. If the region closes, it was data. If not, the reader
 * returns to the opening (`unclosed`), as it does if the region closes and nothing visible follows
 * it (`last`).
 */
export function* readRegion(
  message: Message,
  region: Region,
): Reader<'closed' | 'unclosed' | 'last'> {
  const { input, grammar } = message
  const { ends } = region
  const watched = ends.join(grammar.calls)
  for (;;) {
    if (!(yield* until(input, watched, region.give))) return 'unclosed'
    const outcome = input.match(ends) === 'all' ? yield* region.end() : 1
    if (typeof outcome === 'string') return outcome
    if (input.match(grammar.calls) !== 'all' || input.reread > MAX_REREAD) {
      region.give(input.take(outcome))
    } else {
      const place = input.hold()
      const held = yield* closes(message, region, place + MAX_HELD)
      // With more text, a reply that was cut off might have closed the region, so nothing in it is
      // read.
      if (held === 'unclosed' && !wasCut(message)) {
        input.back()
        return 'unclosed'
      }
      if (held === 'closed' && region.isLast && (yield* region.isLast())) {
        input.back()
        return 'last'
      }
      const text = input.since(place)
      input.release()
      region.give(text)
      if (held !== 'open') return held
    }
  }
}

/** Searches for the end up to `limit`. */
function* closes(
  { input }: Message,
  region: Region,
  limit: number,
): Reader<'closed' | 'unclosed' | 'open'> {
  const before = input.fence(limit)
  let outcome: 'closed' | 'unclosed' | 'open' = 'open'
  while (outcome === 'open' && (yield* until(input, region.ends))) {
    const found = yield* region.end()
    if (typeof found === 'string') outcome = found
    else input.cursor = Math.min(input.cursor + found, input.end)
  }
  const limited = input.place >= limit
  input.lift(before)
  return outcome === 'open' && !limited ? 'unclosed' : outcome
}

/**
 * Passes on the text that was read last, and records whether the line so far is blank. A fence
 * begins only on such a line.
 */
export function giveText(message: Message, text: string): void {
  const { input, output } = message
  output.text(text, input.place - text.length)
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 10 || !isSpace(code)) {
      message.lineBlank = code === 10
      return
    }
  }
}
