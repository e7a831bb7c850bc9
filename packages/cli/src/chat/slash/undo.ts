import { showUndone } from '../../show/undone.ts'
import type { SlashCommand } from './slash-command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  about: 'undo the file changes of this conversation',
  async run({ setup: { checkpoints }, id, person }) {
    if ((await checkpoints.changes(id)).length === 0)
      return person.show('Nothing to undo: Write and Edit changed no files.\n')
    const { files } = await checkpoints.undo(id)
    person.show(files.map(showUndone).join(''))
  },
}
