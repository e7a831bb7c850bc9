/**
 * Whether Bash 3.2, the version on macOS, ends a `$(…)` at the end of this text. It only counts parentheses outside quotes,
 * and doesn't recognize here-documents, comments and `case` patterns inside.
 */
export function endsInBash3(substitution: string): boolean {
  let open = 0
  let quote = ''
  for (let at = 1; at < substitution.length; at++) {
    const character = substitution[at]!
    if (character === '\\' && quote !== "'") at++
    else if (quote) {
      if (character === quote) quote = ''
    } else if (/['"`]/.test(character)) quote = character
    else if (character === '(') open++
    else if (character === ')' && --open === 0) return at === substitution.length - 1
  }
  return false
}
