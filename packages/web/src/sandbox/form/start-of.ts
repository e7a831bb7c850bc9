import type { Field } from './field.ts'

/** What a value begins as when somebody adds it. */
export function startOf(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return Math.max(0, field.minimum ?? 0)
    case 'boolean':
      return false
    case 'fixed':
      return field.values[0]
    case 'object':
      return Object.fromEntries(
        field.properties.flatMap(({ name, field: { kind }, field: inner, isRequired }) =>
          isRequired && kind === 'fixed' && inner.kind === 'fixed' && inner.values.length === 1
            ? [[name, inner.values[0]]]
            : [],
        ),
      )
    case 'list':
      return []
    case 'choice':
      return startOf(field.choices[0]!)
    case 'any':
      return null
  }
}
