import type { DecisionPart } from '@toolglot/permissions'
import { isLongDiff } from '../ui/diff-page.ts'
import { isLong } from '../ui/text-page.ts'
import type { Diff } from '../ui/unified-diff.ts'
import { argumentsText } from './arguments-text.ts'
import type { CallCommand } from './command-of.ts'
import { unseenInExpanded } from './expanded-text.ts'
import { ROWS, rowsOf } from './part-rows.ts'

/** What a card shows of a call. */
export interface ShownCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly parts: readonly DecisionPart[]
  readonly command: CallCommand | undefined
  /** The text that runs, if it is another one. */
  readonly runs?: string | undefined
  /** What it would change, if that is known: then the arguments are not needed to understand it. */
  readonly diff: Diff | undefined
}

/** Whether a call is too long to be shown at once, so that somebody would decide on its beginning. */
export function isCut({ args, parts, command, runs = '', diff }: ShownCall): boolean {
  if (command && isLong(command.text)) return true
  if (isLong(runs, undefined, unseenInExpanded(runs, command?.text))) return true
  if (rowsOf(parts).length > ROWS) return true
  return diff ? isLongDiff(diff) : isLong(argumentsText(args, command))
}
