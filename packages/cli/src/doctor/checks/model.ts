import { searchModels } from '@toolglot/workspace'
import type { Check } from '../check.ts'

export const model: Check = {
  name: 'model',
  async run({ workspace }) {
    const { choice, probed } = await searchModels(workspace)
    return choice.reference === undefined
      ? {
          status: 'missing',
          says: choice.why,
          advice: 'A built-in demo script answers instead. To get a model, see toolglot models.',
        }
      : { status: 'ok', says: `${choice.reference}: ${choice.why}${howProbed(choice.reference)}` }

    function howProbed(reference: string): string {
      const protocol = probed[reference]
      return protocol === undefined ? '' : `; it writes calls in ${protocol} (probed)`
    }
  },
}
