import { plainLine } from '../../plain-line.ts'
import { closestName } from '../closest-name.ts'

/** Says that a server has no model of this name, and which one may be meant. */
export function unknownModel(server: string, named: string, models: readonly string[]): string {
  const close = closestName(named, models)
  const has = models.slice(0, MAX_SHOWN).join(', ')
  const more = models.length > MAX_SHOWN ? ` and ${models.length - MAX_SHOWN} more` : ''
  const advice = close === undefined ? `It has ${has}${more}.` : `Did you mean ${close}?`
  return plainLine(`${server} has no model ${named}. ${advice}`, 1000)
}

const MAX_SHOWN = 10
