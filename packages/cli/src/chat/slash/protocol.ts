import { protocolIn, protocolNamed, speakingIn } from '../../read/speaker.ts'
import type { SlashCommand } from './slash-command.ts'

export const protocol: SlashCommand = {
  name: 'protocol',
  takes: '[ID]',
  about: 'how the model writes calls; or another way: an id, native, auto',
  async run(session, words) {
    const { terminal, person } = session
    if (words !== '') {
      session.speaker = speakingIn(session.speaker, await protocolNamed(words, terminal), terminal)
      session.hasChanged = true
    }
    const { name, isGuess } = protocolIn(session.speaker)
    const guess = isGuess ? ', which is a guess: toolglot protocols lists all' : ''
    person.show(`${session.speaker.model.name} is told to write ${name}${guess}.\n`)
  },
}
