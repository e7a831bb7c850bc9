import type { FoundModels } from './find-models.ts'
import { nearest } from '@toolglot/permissions/internal'
import { plainLine } from '../plain-line.ts'

/**
 * The reference of the model on a running server that a bare name means: `qwen3:8b`, or `qwen3` for `qwen3:latest`. Undefined
 * if no server has models. Throws a TypeError if none or several have one of this name.
 */
export function resolveName(
  text: string,
  { servers }: Pick<FoundModels, 'servers'>,
): string | undefined {
  const named = text.trim()
  const all = servers.flatMap(({ id, models }) =>
    models.map(({ name }) => ({ name, reference: `${id}/${name}` })),
  )
  if (all.length === 0) return undefined
  const exact = all.filter(({ name }) => name === named)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name === `${named}:latest`)
  const [first, second] = found
  if (first && !second) return first.reference
  const shown = plainLine(named, 80)
  if (second)
    throw new TypeError(
      `expected the name of one model, got '${shown}', which ${found.length} servers have: name one of ${found.map(({ reference }) => reference).join(', ')}`,
    )
  const names = all.map(({ name }) => name)
  const [close] = nearest(named, names)
  const meant = close === undefined ? undefined : all.find(({ name }) => name === close)
  throw new TypeError(
    `expected a model, such as ${all[0]!.reference}, got '${shown}', which no running server has: ${meant ? `did you mean ${meant.reference}?` : 'toolglot models lists them'}`,
  )
}
