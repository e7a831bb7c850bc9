import type { Repair } from './repair.ts'

/** `[1, 2,]` */
export const trailingComma: Repair = {
  name: 'trailing-comma',
  cost: 1,
  *fits({ input, json }) {
    if (json.word !== '') return false
    return (
      (json.state === 'key' && input.code() === 125) ||
      (json.state === 'item' && input.code() === 93)
    )
  },
  *apply({ json }) {
    json.dropComma()
  },
}
