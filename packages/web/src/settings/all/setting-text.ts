/** How the value of a setting is written. */
export type SettingKind = 'text' | 'list' | 'json'

/** The own value of a setting, as it is typed. A list has one item a line; other items than texts are JSON. */
export function ownText(kind: SettingKind, values: readonly unknown[]): string {
  if (values.length === 0) return ''
  if (kind === 'text') return String(values[0])
  if (kind === 'json') return JSON.stringify(values[0], undefined, 2)
  const items = values.flatMap((value) => value)
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
}

/** The value that was typed; null removes the setting. */
export function readText(
  kind: SettingKind,
  typed: string,
): { readonly value: unknown } | { readonly fault: 'json' } {
  const text = typed.trim()
  if (text === '') return { value: null }
  if (kind === 'text') return { value: text }
  try {
    if (kind === 'json') return { value: JSON.parse(text) as unknown }
    const lines = text.split('\n').map((line) => line.trim())
    return { value: lines.filter((line) => line !== '').map(itemOf) }
  } catch {
    return { fault: 'json' }
  }
}

function itemOf(line: string): unknown {
  return line.startsWith('{') ? (JSON.parse(line) as unknown) : line
}
