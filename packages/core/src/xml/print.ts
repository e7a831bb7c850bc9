import { type Dialect, isTagName, NAMED } from './elements.ts'
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
  const plain = isTagName(name)
  const [open, close] = plain ? [name, name] : [`${NAMED} name="${attribute(name)}"`, NAMED]
  return `${prefix}<${open}>${content(value, dialect)}${prefix}</${close}>`
}

/** Text in the quotes of an attribute. */
function attribute(text: string): string {
  return escaped(text).replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function content(value: unknown, dialect: Dialect): string {
  if (typeof value === 'string') return dialect.entities ? escaped(value) : value
  if (Array.isArray(value)) return value.map((item) => element('item', item, dialect)).join('')
  if (typeof value === 'object' && value !== null) {
    return printElements(value as Record<string, unknown>, dialect, '')
  }
  return JSON.stringify(value)
}
