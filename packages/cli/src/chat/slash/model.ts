import { searchModels } from '@toolglot/workspace'
import { chooseModel } from '../../run/choose-model.ts'
import { showModels } from '../../show/models.ts'
import { showChosenModel } from '../../show/run/chosen-model.ts'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[MODEL]',
  about: 'list the models, or switch to another, such as ollama/qwen3:8b or script',
  async run(session, reference) {
    const { terminal, person, colors, setup } = session
    if (reference === '') {
      person.show(showModels(await searchModels(setup.workspace), colors))
    } else {
      session.chosen = await chooseModel({ model: reference }, setup.workspace, terminal)
      session.choseAnotherModel = true
    }
    person.show(showChosenModel(session.chosen, colors, columnsOf(terminal.output)))
  },
}
