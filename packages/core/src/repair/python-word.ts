import { WORDS } from '../python/words.ts'
import type { Repair } from './repair.ts'

/** `True`, `False`, `None` */
export const pythonWord: Repair = {
  name: 'python-word',
  cost: 1,
  *fits({ json }) {
    return WORDS.has(json.word) && json.wantsValue
  },
  *apply({ json }) {
    json.value(WORDS.get(json.word)!)
  },
}
