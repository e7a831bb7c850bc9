import { searchModels } from '@toolglot/workspace'
import { pickModel } from '../../person/pick-model.ts'
import { chooseModel } from '../../run/choose-model.ts'
import { showModels } from '../../show/models.ts'
import { showChosenModel } from '../../show/run/chosen-model.ts'
import { columnsOf } from '../../terminal.ts'
import type { Session } from '../session.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[MODEL]',
  about: 'pick another model, or switch to one, such as ollama/qwen3:8b or script',
  async run(session, reference) {
    const { terminal, person, colors, setup } = session
    const named = reference === '' ? await picked(session) : reference
    if (named !== undefined) {
      const { protocol: _, ...flags } = session.flags
      const { context } = flags
      session.chosen = await chooseModel({ model: named, context }, setup.workspace, terminal)
      session.flags = { ...flags, model: session.chosen.reference }
      session.choseAnotherModel = true
    }
    person.show(showChosenModel(session.chosen, colors, columnsOf(terminal.output)))
  },
}

/** The model that the person picks; undefined if they keep the current one, or if there is nobody to ask. */
async function picked({ person, colors, setup, signal }: Session): Promise<string | undefined> {
  const search = await searchModels(setup.workspace)
  const { keyboard } = person
  if (keyboard) return pickModel(search, { keyboard, signal })
  person.show(showModels(search, colors))
  return undefined
}
