import type { ApiAnswer } from '@toolglot/server/client'
import { isOwn, type Setting, type Settings } from '../place-text.tsx'

/** Whether a rule allows, asks or denies. */
export type Verdict = 'deny' | 'ask' | 'allow'
type Lint = ApiAnswer<'GET /api/permit/lint'>

/** The strictest first: it wins. */
export const VERDICTS: readonly Verdict[] = ['deny', 'ask', 'allow']

/** A rule as it is written somewhere, with what is doubtful about it. */
export interface ListedRule {
  readonly text: string
  readonly verdict: Verdict
  readonly place: Setting
  /** Whether it has an effect: what a folder allows counts only if it is trusted. */
  readonly counts: boolean
  /** Whether it is in the person's own settings, which this page can change. */
  readonly isOwn: boolean
  /** Why it is invalid. Until it is fixed, nothing runs. */
  readonly problem: string | undefined
  readonly notes: readonly string[]
}

/** All rules, the strictest first, in the order of their files. */
export function listRules(
  settings: Pick<Settings, 'values' | 'userFile'>,
  lint: Lint | undefined,
): readonly ListedRule[] {
  return VERDICTS.flatMap((verdict) =>
    settings.values
      .filter(({ key }) => key === `permissions.${verdict}`)
      .map((place) => {
        const text = String(place.value)
        const isHere = (
          other: Pick<Setting, 'file' | 'line'> & { readonly rule: string },
        ): boolean => other.rule === text && other.file === place.file && other.line === place.line
        return {
          text,
          verdict,
          place,
          counts: place.counts,
          isOwn: isOwn(place, settings),
          problem: lint?.problems.find(isHere)?.problem,
          notes: (lint?.notes ?? [])
            .filter((note) => note.verdict === verdict && isHere(note))
            .map(({ message }) => message),
        }
      }),
  )
}

/** The rules with a verdict in the person's own settings, as they are written. */
export function ownRules(
  settings: Pick<Settings, 'values' | 'userFile'>,
  verdict: Verdict,
): readonly string[] {
  return settings.values
    .filter((each) => each.key === `permissions.${verdict}` && isOwn(each, settings))
    .map(({ value }) => String(value))
}

/** The list without one of its rules: only the first, if it is there twice. */
export function withoutRule(rules: readonly string[], text: string): readonly string[] {
  const at = rules.indexOf(text)
  return at < 0 ? rules : rules.toSpliced(at, 1)
}

/** The list with a rule at a place, such as the one it had; once is enough. */
export function withRule(rules: readonly string[], text: string, at: number): readonly string[] {
  return rules.includes(text) ? rules : rules.toSpliced(at, 0, text)
}
