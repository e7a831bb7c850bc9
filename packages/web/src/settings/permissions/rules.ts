import type { ApiAnswer } from '@toolglot/server/client'
import { isOwn, type Setting, type Settings } from '../place-text.tsx'

/** The effect of a rule. */
export type Verdict = 'deny' | 'ask' | 'allow'
type Lint = ApiAnswer<'GET /api/permit/lint'>

/** Strictest first: a stricter rule wins. */
export const VERDICTS: readonly Verdict[] = ['deny', 'ask', 'allow']

/** A rule from a settings file, with the problems found in it. */
export interface ListedRule {
  readonly text: string
  readonly verdict: Verdict
  readonly place: Setting
  /** True if the rule is in effect: allow rules of a folder count only if the folder is trusted. */
  readonly counts: boolean
  /** True if the rule is in the user's own settings, which this page can change. */
  readonly isOwn: boolean
  /** The reason it is invalid. No call runs until the rule is fixed. */
  readonly problem: string | undefined
  readonly notes: readonly string[]
}

/** All rules, strictest first, in the order of their files. */
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

/** The user's own rules with a verdict, as written. */
export function ownRules(
  settings: Pick<Settings, 'values' | 'userFile'>,
  verdict: Verdict,
): readonly string[] {
  return settings.values
    .filter((each) => each.key === `permissions.${verdict}` && isOwn(each, settings))
    .map(({ value }) => String(value))
}

/** The list without a rule. Of duplicates, only the first is removed. */
export function withoutRule(rules: readonly string[], text: string): readonly string[] {
  const at = rules.indexOf(text)
  return at < 0 ? rules : rules.toSpliced(at, 1)
}

/** The list with a rule inserted at an index, without duplicates. */
export function withRule(rules: readonly string[], text: string, at: number): readonly string[] {
  return rules.includes(text) ? rules : rules.toSpliced(at, 0, text)
}
