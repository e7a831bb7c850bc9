/**
 * Why a sed script cannot be proved harmless. Proved are addresses, and the commands that only print, delete, move and
 * replace text: none that runs, writes or reads another file.
 */
export function sedDoubt(script: string): string | undefined {
  const WHY = 'its script is more than printing and replacing'
  let at = 0
  const blanks = (): void => {
    while (at < script.length && /[\s;]/.test(script[at]!)) at++
  }
  /** Moves behind the next unescaped mark; brackets count only where a pattern is read. */
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
    // A slash in brackets ends the pattern for some and not for others.
    const start = at
    if (!delimited('/') || script.slice(start, at).includes('['))
      return ((at = script.length + 1), true)
    while (/[IM]/.test(script[at] ?? '')) at++
    return true
  }
  for (blanks(); at < script.length; blanks()) {
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
      // A label ends at the first blank: what follows is a command, which must not be one of its own.
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
 * A pattern in which every bracket is closed, however a sed reads it: in some a mark between brackets ends the pattern, in
 * others not, and they differ on where `[]…]`, `[[.x.]…]` and `[\]…]` end.
 */
const CLOSED = /^(?:[^[\\]|\\[^]|\[(?!\^\])\^?(?:[^\][\\]|\\[^\][]|\[:\w+:\])+\])*$/
