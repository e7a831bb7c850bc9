import type { Schema } from '../protocol.ts'
import type { Draft } from '../read/draft.ts'
import { declares } from '../schema/property.ts'
import { isSchema } from '../schema/resolve.ts'
import { readTextValue } from '../schema/text-value.ts'

/** Names under which models put all arguments into a single one. */
const WRAPPERS = new Set(['arguments', 'input', 'parameters', 'properties', 'args'])

/**
 * A value that may contain all arguments, under a name that the tool does not declare: `<parameter name="arguments">{…}`.
 * That holds only if no other argument follows, so it waits. Undefined: this argument is not such a wrapper.
 */
export function wrapping(draft: Draft): ((text: string) => boolean) | undefined {
  const { key, kind, parameters, place } = draft
  const first = draft.keys === 0 && !draft.waiting
  if (!draft.repairsEnabled || !first || !WRAPPERS.has(key)) return undefined
  if (!parameters || declares(parameters, key)) return undefined
  return (text) => {
    draft.waiting = (last) => {
      const all = last && unwrapped(text, parameters)
      if (all) draft.repair('wrapped-arguments', key, '', place)
      const value = readTextValue(text, kind, draft.schemaOf(key), parameters).value
      draft.writeMembers(all ? draft.typed(all) : { [key]: value })
    }
    return true
  }
}

function unwrapped(text: string, parameters: Schema): Record<string, unknown> | undefined {
  const { value } = readTextValue(text, 'json', undefined, undefined)
  return isSchema(value) && Object.keys(value).every((key) => declares(parameters, key))
    ? value
    : undefined
}
