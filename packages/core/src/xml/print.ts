/** Values as elements named after their keys; lists as `item` elements. */
export function printElements(
  args: Readonly<Record<string, unknown>>,
  prefix: string,
  separator: string,
): string {
  return Object.entries(args)
    .map(([key, value]) => element(key, value, prefix))
    .join(separator)
}

function element(name: string, value: unknown, prefix: string): string {
  return `${prefix}<${name}>${content(value, prefix)}${prefix}</${name}>`
}

function content(value: unknown, prefix: string): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => element('item', item, prefix)).join('')
  if (typeof value === 'object' && value !== null) {
    return printElements(value as Record<string, unknown>, prefix, '')
  }
  return JSON.stringify(value)
}
