import type { Call } from '@toolglot/core'
import type { ToolChoice } from '../../model/model.ts'

/** In which way a reply differs from the tool choice, which a model in text is only told about. */
export function missedChoice(
  choice: ToolChoice | undefined,
  calls: readonly Pick<Call, 'name'>[],
): string | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none')
    return calls.length > 0 ? 'called a tool, although it must not.' : undefined
  if (calls.length === 0) return 'called no tool, although it must.'
  return choice === 'required' || calls.some(({ name }) => name === choice.name)
    ? undefined
    : `did not call ${choice.name}, although it must.`
}
