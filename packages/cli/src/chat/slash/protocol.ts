import { describeProtocol, namedProtocol, withProtocol } from '@toolglot/workspace'
import { paceOf } from '../../run/choose-model.ts'
import type { SlashCommand } from './slash-command.ts'

export const protocol: SlashCommand = {
  name: 'protocol',
  argument: '[ID]',
  about: 'show how the model writes calls, or change it: an id, native, auto',
  async run(session, name) {
    const { terminal, person, setup } = session
    if (name !== '') {
      const named = await namedProtocol(name, setup.workspace)
      session.chosen = withProtocol(session.chosen, named, { pace: paceOf(terminal) })
      session.choseAnotherModel = true
    }
    const { name: current, isGuess } = describeProtocol(session.chosen)
    const guess = isGuess ? ' (a guess; see toolglot protocols for all)' : ''
    person.show(`${session.chosen.model.name} is asked to write calls in ${current}${guess}.\n`)
  },
}
