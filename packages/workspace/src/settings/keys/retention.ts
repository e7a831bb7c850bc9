import type { PruneLimits } from '@toolglot/agent/journal'
import { describe, type Item, mustBe, unknownKey } from '../item.ts'
import { objectSchema, type SettingsKey } from './key.ts'
import { integerField, type Wrong } from './fields.ts'

const count = integerField(1)

/**
 * The limits for keeping runs. `false` means forever. Not read from a project's files, which must
 * not delete a user's runs, or from a file on the command line, because the journal outlives the
 * command.
 */
export const retention: SettingsKey<PruneLimits | false> = {
  key: 'retention',
  schema: {
    description:
      'Limits for keeping runs: a number of days or of runs. false: forever. Default: 90 days; forever in a journal of an earlier version. Runs that have a name or are waiting for an answer are never deleted.',
    anyOf: [
      { enum: [false] },
      objectSchema(
        {
          days: {
            description: 'The number of days to keep a run after it was last active.',
            ...count.schema,
          },
          runs: { description: 'The number of runs to keep.', ...count.schema },
        },
        { minProperties: 1 },
      ),
    ],
  },
  scopes: ['managed', 'user'],
  read(item, wrong) {
    if (item.kind === 'plain' && item.value === false) return false
    const problem = problemIn(item, wrong)
    if (problem) {
      wrong(problem.line, problem.reason)
      // Until the value is fixed, nothing is deleted.
      return false
    }
    return Object.fromEntries(
      entriesOf(item).map(({ key, item: value }) => [key, count.read(value, wrong)]),
    ) as PruneLimits
  },
}

function problemIn(
  item: Item,
  wrong: Wrong,
): { readonly line: number; readonly reason: string } | undefined {
  const entries = entriesOf(item)
  if (entries.length === 0)
    return {
      line: item.line,
      reason: `"retention" must be false or limits such as ${EXAMPLE}, not ${describe(item)}`,
    }
  for (const [at, { key, line, item: value }] of entries.entries()) {
    if (key !== 'days' && key !== 'runs')
      return {
        line,
        reason: unknownKey(key, '"retention"', ['days', 'runs']),
      }
    if (entries.findIndex((each) => each.key === key) !== at)
      return { line, reason: `"${key}" is a duplicate key` }
    if (count.read(value, wrong) === undefined)
      return { line, reason: mustBe(key, 'a positive integer', value) }
  }
  return undefined
}

const EXAMPLE = '{ "days": 90, "runs": 1000 }'

function entriesOf(item: Item): Extract<Item, { kind: 'map' }>['entries'] {
  return item.kind === 'map' ? item.entries : []
}
