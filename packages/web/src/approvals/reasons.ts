import type { Key, Translate } from '../words/words.ts'

/** What the permissions often say, and how the page says it. Everything else is shown as the server wrote it. */
const KNOWN: readonly (readonly [RegExp, Key, ...string[]])[] = [
  [/^no rule allows it$/, 'approvals.reason.noRule'],
  [/^no rule allows writing it$/, 'approvals.reason.noRuleWriting'],
  [/^no rule allows writing outside the workspace$/, 'approvals.reason.noRuleOutside'],
  [/^no rule allows (\S+)$/, 'approvals.reason.noRuleFor', 'what'],
  [/^has no effect$/, 'approvals.reason.noEffect'],
  [/^only runs another command$/, 'approvals.reason.wraps'],
  [/^contains the (?:invisible )?character (U\+[0-9A-F]+)/, 'approvals.reason.unseen', 'name'],
  [/^removes the root of the file system$/, 'approvals.reason.root'],
  [/^(?:protected: )?contains credentials$/, 'approvals.reason.credentials'],
  [/^this may not be an intended tool call/, 'approvals.reason.doubted'],
  [/^the tool is dangerous, so every call needs approval$/, 'approvals.reason.dangerous'],
]

/** A reason of the permissions as a sentence, without the rule that would help: "always" shows that. */
export function reasonSentence(why: string, t: Translate): string {
  const plain = why.replace(
    /; (?:the rule|only an exact rule such as) .* would(?: allow it)?$/s,
    '',
  )
  for (const [pattern, key, name] of KNOWN) {
    const found = pattern.exec(plain)
    if (found) return t(key, name === undefined ? {} : { [name]: found[1]! })
  }
  const first = /^[a-z]/.test(plain) ? plain[0]!.toUpperCase() + plain.slice(1) : plain
  return /[.!?]$/.test(first) || first === '' ? first : `${first}.`
}
