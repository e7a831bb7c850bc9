import { JOINER, type Neutralizer } from './neutralize.ts'

/** Restores a text that arrives in pieces. */
export interface Restorer {
  /** Takes more of the text. Returns as much of the restored text as is certain. */
  feed(text: string): string
  /** Ends the text. Returns the rest. */
  end(): string
}

/**
 * Restores text as it arrives. Only a joiner makes it hold text back, until it is certain whether a mark begins before it. Of
 * several joiners, all but one are certain.
 */
export function restorer(markAt: Neutralizer['markAt']): Restorer {
  /** Text without joiners: the last character that was passed on, and what is held. */
  let plain = ''
  let passed = 0
  /** How many joiners are before places in it, in order. */
  let gaps = new Map<number, number>()

  const take = (ended: boolean): string => {
    let out = ''
    /** The first character of a mark comes after the joiners before it. */
    let low = 0
    for (const [at, joiners] of gaps) {
      out += plain.slice(passed, at)
      passed = at
      const pair = at - 2 >= low && plain.codePointAt(at - 2)! > 0xffff
      const match = at > low ? markAt(plain, at - (pair ? 2 : 1)) : 'none'
      const open = match === 'part' && !ended
      out += JOINER.repeat(open || match === 'all' ? joiners - 1 : joiners)
      gaps.set(at, 1)
      if (open) break
      gaps.delete(at)
      low = at
    }
    if (gaps.size === 0) {
      out += plain.slice(passed)
      passed = plain.length
    }
    const from = Math.max(low, passed - 2)
    plain = plain.slice(from)
    passed -= from
    gaps = new Map([...gaps].map(([at, joiners]) => [at - from, joiners]))
    return out
  }

  return {
    feed(text) {
      for (const part of text.split(JOINERS)) {
        if (!part.startsWith(JOINER)) plain += part
        else gaps.set(plain.length, (gaps.get(plain.length) ?? 0) + part.length)
      }
      return take(false)
    },
    end: () => take(true),
  }
}

const JOINERS = /(\u2060+)/
