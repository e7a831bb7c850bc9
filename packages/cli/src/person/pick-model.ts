import type { ModelSearch } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { pick, type PickOptions } from './pick.ts'

/** Asks a person to pick one of the models that were found. */
export function pickModel(
  { found: { servers, keys } }: Pick<ModelSearch, 'found'>,
  asking: Pick<PickOptions, 'keyboard' | 'signal'>,
): Promise<string | undefined> {
  const local = servers.flatMap(({ id, models }) => models.map(({ name }) => `${id}/${name}`))
  const paid = keys.map(({ provider, usual }) => `${provider}/${usual}`)
  const choices = [
    ...local.map((value) => ({ value, label: visibleLine(value) })),
    ...paid.map((value) => ({ value, label: `${visibleLine(value)}  (costs money)` })),
  ]
  const advice = 'toolglot models lists what is there'
  return pick(choices, { what: 'the name of a model', advice, ...asking })
}
