import type { Repair } from './repair.ts'

/** A line break or another control character inside a string, unescaped. */
export const rawControl: Repair = {
  name: 'raw-control',
  cost: 1,
  *fits({ input, json }) {
    return (json.state === 'string' || json.state === 'key-string') && input.code() < 32
  },
  *apply({ input, json }) {
    json.loose = true
    json.put(JSON.stringify(input.take(1)).slice(1, -1))
  },
}
