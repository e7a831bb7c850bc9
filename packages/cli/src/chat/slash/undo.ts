import { showUndone } from '../../show/undone.ts'
import type { SlashCommand } from './slash-command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  about: 'take back what was changed in files in this conversation',
  async run({ setup: { checkpoints }, id, person }) {
    if ((await checkpoints.changes(id)).length === 0)
      return person.show('Nothing was changed by Write or Edit.\n')
    const { files } = await checkpoints.undo(id)
    person.show(files.map(showUndone).join(''))
  },
}
