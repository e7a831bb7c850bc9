import { type Dialect } from './elements.ts'
import { escaped } from './entities.ts'

/** Values as elements named after their keys; lists as `item` elements. */
export function printElements(
  args: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  separator: string,
): string {
  return Object.entries(args)
    .map(([key, value]) => element(key, value, dialect))
    .join(separator)
}

function element(name: string, value: unknown, dialect: Dialect): string {
  const { prefix } = dialect
  return `${prefix}<${name}>${content(value, dialect)}${prefix}</${name}>`
}

function content(value: unknown, dialect: Dialect): string {
  if (typeof value === 'string') return dialect.entities ? escaped(value) : value
  if (Array.isArray(value)) return value.map((item) => element('item', item, dialect)).join('')
  if (typeof value === 'object' && value !== null) {
    return printElements(value as Record<string, unknown>, dialect, '')
  }
  return JSON.stringify(value)
}
