import type { Repair } from './repair.ts'

/** `True`, `False`, `None` */
export const pythonWord: Repair = {
  name: 'python-word',
  cost: 1,
  *fits({ json }) {
    return MEANING.has(json.word) && isValue(json.state)
  },
  *mend({ json }) {
    json.value(MEANING.get(json.word)!)
    json.word = ''
  },
}

const MEANING = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

function isValue(state: string): boolean {
  return state === 'value' || state === 'item' || state === 'first-item'
}
