import type { Translate } from '../../words/words.ts'
import type { Fault } from './faults.ts'

/** What is wrong with a value, in words. */
export function faultText(fault: Fault, t: Translate): string {
  return t(`sandbox.fault.${fault.type}`, 'limit' in fault ? { limit: fault.limit } : {})
}
