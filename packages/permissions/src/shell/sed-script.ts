/**
 * Why a sed script can't be proved harmless; undefined if it can. Addresses and commands that only print, delete, move and
 * replace text are harmless; commands that run something, or read or write another file, are not.
 */
export function sedCaution(script: string): string | undefined {
  const WHY = 'its script does more than print and replace'
  let at = 0
  const skipSpace = (): void => {
    while (at < script.length && /[\s;]/.test(script[at]!)) at++
  }
  /** Moves past the next unescaped mark. */
  const delimited = (mark: string): boolean => {
    for (; at < script.length; at++) {
      if (script[at] === '\\') at++
      else if (script[at] === '\n') return false
      else if (script[at] === mark) return (at++, true)
    }
    return false
  }
  const address = (): boolean => {
    if (/[\d$]/.test(script[at] ?? '')) {
      while (/[\d$~+]/.test(script[at] ?? '')) at++
      return true
    }
    if (script[at] !== '/') return false
    at++
    // A slash in brackets ends the pattern in some versions of sed, but not in others.
    const start = at
    if (!delimited('/') || script.slice(start, at).includes('['))
      return ((at = script.length + 1), true)
    while (/[IM]/.test(script[at] ?? '')) at++
    return true
  }
  for (skipSpace(); at < script.length; skipSpace()) {
    if (address()) {
      if (script[at] === ',') {
        at++
        while (script[at] === '+' || script[at] === '~') at++
        if (!address()) return WHY
      }
    }
    if (at > script.length) return WHY
    while (script[at] === ' ' || script[at] === '!') at++
    const command = script[at++]
    if (command === undefined) return WHY
    if (command === 's' || command === 'y') {
      const mark = script[at++]
      if (!mark || !/[!"#%&',./:;<=>@^|~+-]/.test(mark)) return WHY
      const start = at
      if (!delimited(mark)) return WHY
      if (!CLOSED.test(script.slice(start, at - 1))) return WHY
      if (!delimited(mark)) return WHY
      while (command === 's' && /[gpiIm\d]/.test(script[at] ?? '')) at++
    } else if (':btT'.includes(command)) {
      // A label ends at the first space in some versions of sed: what follows may be a command.
      while (script[at] === ' ') at++
      while (/\w/.test(script[at] ?? '')) at++
    } else if ('aic'.includes(command)) {
      const end = script.indexOf('\n', at)
      const text = script.slice(at, end < 0 ? script.length : end)
      if (text.includes('\\')) return WHY
      at += text.length
    } else if ('qQ'.includes(command)) {
      while (/\d/.test(script[at] ?? '')) at++
    } else if (!'pPdD=nNgGhHxlz{}'.includes(command)) return WHY
    while (script[at] === ' ') at++
    if (at < script.length && !/[;\n}]/.test(script[at]!) && command !== '{') return WHY
  }
  return undefined
}

/**
 * A pattern in which every bracket is closed in all versions of sed: in some, a mark between brackets ends the pattern, and
 * they differ on where `[]…]`, `[[.x.]…]` and `[\]…]` end.
 */
const CLOSED = /^(?:[^[\\]|\\[^]|\[(?!\^\])\^?(?:[^\][\\]|\\[^\][]|\[:\w+:\])+\])*$/
