import type { DecisionPart } from '@toolglot/permissions'
import { isLongDiff } from '../ui/diff-page.ts'
import { isLong } from '../ui/text-page.ts'
import type { Diff } from '../ui/unified-diff.ts'
import { argumentsText } from './arguments-text.ts'
import type { CallCommand } from './command-of.ts'
import { addsText, ROWS, rowsOf } from './part-rows.ts'

/** What a card shows of a call. */
export interface ShownCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly parts: readonly DecisionPart[]
  readonly command: CallCommand | undefined
  /** What it would change, if that is known: then the arguments are not needed to understand it. */
  readonly diff: Diff | undefined
}

/** Whether a call is too long to be shown at once, so that somebody would decide on its beginning. */
export function isCut({ args, parts, command, diff }: ShownCall): boolean {
  if (command && isLong(command.text)) return true
  if (rowsOf(parts).length > ROWS) return true
  if (parts.some((part) => isLong(part.what) && addsText(part, command?.text))) return true
  return diff ? isLongDiff(diff) : isLong(argumentsText(args, command))
}
