import { describeProtocol, namedProtocol, withProtocol } from '@toolglot/workspace'
import { paceOf } from '../../run/choose-model.ts'
import type { SlashCommand } from './slash-command.ts'

export const protocol: SlashCommand = {
  name: 'protocol',
  takes: '[ID]',
  about: 'how the model writes calls; or another way: an id, native, auto',
  async run(session, words) {
    const { terminal, person, setup } = session
    if (words !== '') {
      const named = await namedProtocol(words, setup.workspace)
      session.chosen = withProtocol(session.chosen, named, { pace: paceOf(terminal) })
      session.hasChanged = true
    }
    const { name, isGuess } = describeProtocol(session.chosen)
    const guess = isGuess ? ', which is a guess: toolglot protocols lists all' : ''
    person.show(`${session.chosen.model.name} is told to write ${name}${guess}.\n`)
  },
}
