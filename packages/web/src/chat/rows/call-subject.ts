/** Argument names that best describe a call, best first. No tool is required to have them. */
const TELLING = [
  'command',
  'file_path',
  'filePath',
  'notebook_path',
  'path',
  'url',
  'pattern',
  'query',
  'question',
  'name',
  'description',
  'prompt',
]
const MAX_LENGTH = 240

/** The most descriptive argument of a call, on one line. Undefined if there is none. */
export function callSubject(args: Readonly<Record<string, unknown>>): string | undefined {
  const pattern = textOf(args['pattern'])
  const path = textOf(args['path'])
  if (pattern !== undefined && path !== undefined) return oneLine(`${pattern}  ${path}`)
  for (const key of TELLING) {
    const value = Object.hasOwn(args, key) ? textOf(args[key]) : undefined
    if (value !== undefined) return oneLine(value)
  }
  for (const value of Object.values(args)) {
    const text = textOf(value)
    if (text !== undefined) return oneLine(text)
  }
  return undefined
}

/** The same for arguments that are still being written: JSON that may be cut off anywhere. */
export function writtenSubject(written: string): string | undefined {
  const found = new Map<string, string>()
  const start = written.slice(0, 4096)
  for (const { 1: key, 2: value } of start.matchAll(/"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)/g))
    if (!found.has(key!)) found.set(key!, unescape(value!))
  return callSubject(Object.fromEntries(found))
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
    return value.slice(0, 50).join(' ')
  return undefined
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(/[\r\n\t]+/g, ' ')
    .trim()
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    // The JSON ends inside an escape, or contains an unescaped line break.
    return text
  }
}
