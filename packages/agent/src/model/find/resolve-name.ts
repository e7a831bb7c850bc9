import type { FoundModels } from './find-models.ts'
import { closestName } from './closest-name.ts'
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
  const all = modelsOf(servers)
  if (all.length === 0) return undefined
  const known = exactName(named, { servers }) ?? exactName(`${named}:latest`, { servers })
  if (known !== undefined) return known
  const names = all.map(({ name }) => name)
  const close = closestName(named, names)
  const meant = close === undefined ? undefined : all.find(({ name }) => name === close)
  throw new TypeError(
    `expected a model, such as ${all[0]!.reference}, got '${plainLine(named, 80)}', which no running server has: ${meant ? `did you mean ${meant.reference}?` : 'toolglot models lists them'}`,
  )
}

/**
 * The reference of the model on a running server that has exactly this name; undefined if there is none. Throws a TypeError
 * if several have one.
 */
export function exactName(
  name: string,
  { servers }: Pick<FoundModels, 'servers'>,
): string | undefined {
  const found = modelsOf(servers).filter((each) => each.name === name)
  const [first, second] = found
  if (!second) return first?.reference
  throw new TypeError(
    `expected the name of one model, got '${plainLine(name, 80)}', which ${found.length} servers have: name one of ${found.map(({ reference }) => reference).join(', ')}`,
  )
}

function modelsOf(
  servers: FoundModels['servers'],
): readonly { readonly name: string; readonly reference: string }[] {
  return servers.flatMap(({ id, models }) =>
    models.map(({ name }) => ({ name, reference: `${id}/${name}` })),
  )
}
