import { findSpeaker } from '../../read/speaker.ts'
import { lookForModels } from '../../read/chosen-model.ts'
import { showModels } from '../../show/models.ts'
import { showSpeaker } from '../../show/run/speaker.ts'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[MODEL]',
  about: 'list the models, or switch to another, such as ollama/qwen3:8b or script',
  async run(session, reference) {
    const { terminal, person, colors, workplace } = session
    const { cwd } = workplace.fileSystem
    if (reference === '') {
      const { found, choice } = await lookForModels(terminal, { cwd })
      person.show(showModels(found, choice, colors))
    } else {
      session.speaker = await findSpeaker({ model: reference, cwd }, terminal)
      session.hasChanged = true
    }
    person.show(showSpeaker(session.speaker, colors, columnsOf(terminal.output)))
  },
}
