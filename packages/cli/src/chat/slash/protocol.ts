import { protocolIn, protocolNamed, speakingIn } from '../../read/speaker.ts'
import type { SlashCommand } from './slash-command.ts'

export const protocol: SlashCommand = {
  name: 'protocol',
  argument: '[ID]',
  about: 'show how the model writes calls, or change it: an id, native, auto',
  async run(session, name) {
    const { terminal, person } = session
    if (name !== '') {
      session.speaker = speakingIn(session.speaker, await protocolNamed(name, terminal), terminal)
      session.hasChanged = true
    }
    const { name: current, isGuess } = protocolIn(session.speaker)
    const guess = isGuess ? ' (a guess; see toolglot protocols for all)' : ''
    person.show(`${session.speaker.model.name} is asked to write calls in ${current}${guess}.\n`)
  },
}
