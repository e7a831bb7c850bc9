import type { Key, Translate } from '../words/words.ts'
import type { DecisionPart, Verdict } from '@toolglot/permissions'

/**
 * Frequent texts of the permissions, and the page's own wording. Other texts are shown as the
 * server sent them.
 */
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

/**
 * A reason from the permissions as a sentence, without the suggested rule, which “always” already
 * shows.
 */
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

/** A judged part, with the indexes of all parts that look the same. */
interface PartRow {
  readonly part: DecisionPart
  readonly places: readonly number[]
}

/**
 * True if a part contains text that the command lacks, such as the files that a pattern matches.
 */
export function addsText({ what }: DecisionPart, command: string | undefined): boolean {
  return !command?.includes(what)
}

/** The maximum number of rows drawn at once. */
export const ROWS = 40

const ORDER: readonly Verdict[] = ['deny', 'ask', 'allow']

/**
 * The parts of a decision as rows: those that the user decides on first, and identical ones once.
 */
export function rowsOf(parts: readonly DecisionPart[]): readonly PartRow[] {
  const rows = new Map<string, { readonly part: DecisionPart; readonly places: number[] }>()
  for (const [at, part] of parts.entries()) {
    const { what, verdict, why, rule, subject } = part
    const key = JSON.stringify([what, verdict, why, rule?.text, rule?.source, !subject])
    const row = rows.get(key)
    if (row) row.places.push(at)
    else rows.set(key, { part, places: [at] })
  }
  return [...rows.values()].sort(
    (one, other) => ORDER.indexOf(one.part.verdict) - ORDER.indexOf(other.part.verdict),
  )
}
