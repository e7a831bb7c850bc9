import type { Schema } from '../protocol.ts'
import { lacksRequired, propertyOf, refuses } from '../schema/property.ts'
import { isSchema, partWith, resolve } from '../schema/resolve.ts'
import { typeOf, typesOf } from '../schema/types.ts'

/** Whether a value is what a schema asks for, as far as types, lists of values and required members say. */
export function fits(value: unknown, schema: unknown, root: Schema): boolean {
  const found = resolve(schema, root)
  if (!found) return schema !== false
  const types = typesOf(found, root)
  const type = typeOf(value)
  const allowed =
    !types || types.has('unknown') || types.has(type) || (type === 'integer' && types.has('number'))
  const { enum: values, const: only = value } = found
  const listed = !Array.isArray(values) || values.some((one) => isEqual(one, value))
  if (!allowed || !listed || !isEqual(only, value)) return false
  if (Array.isArray(value)) {
    const items = partWith(found, root, 'items')?.['items']
    return value.every((item) => fits(item, items, root))
  }
  if (!isSchema(value)) return true
  return (
    !lacksRequired(found, value, root) &&
    Object.entries(value).every(
      ([key, member]) =>
        !refuses(found, key, root) && fits(member, propertyOf(found, key, root), root),
    )
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
