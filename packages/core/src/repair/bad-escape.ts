import type { Repair } from './repair.ts'

/** `"\$5"`, `"it\'s"`, `"C:\users"`: a backslash that escapes nothing stands for itself; before a single quote, it is dropped. */
export const badEscape: Repair = {
  name: 'bad-escape',
  cost: 1,
  *fits({ json }) {
    return json.state === 'escape'
  },
  *apply({ input, json }) {
    const code = input.code()
    if (json.escape === '\\' && (code === 39 || code < 32))
      json.endEscape(JSON.stringify(input.take(1)).slice(1, -1))
    else json.endEscape(`\\${json.escape}`)
  },
}
