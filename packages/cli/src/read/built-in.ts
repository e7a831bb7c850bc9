import { protocols } from '@toolglot/core'

/** Whether there is a protocol of this id without anyone's own. */
export function isBuiltIn(id: string): boolean {
  return Object.hasOwn(protocols, id)
}
