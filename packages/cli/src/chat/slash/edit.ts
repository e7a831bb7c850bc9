import { forkConversation, recordedRun } from '../fork-conversation.ts'
import { turnOfLastMessage } from '../switch-to-fork.ts'
import { turn } from '../turn.ts'
import type { SlashCommand } from './slash-command.ts'

export const edit: SlashCommand = {
  name: 'edit',
  argument: '[TEXT]',
  about: 'change your last message and send it again, in a copy of this conversation',
  async run(session, text) {
    const { person, setup } = session
    const run = recordedRun(session)
    const records = run === undefined ? [] : await setup.journal.read(run)
    const last = run === undefined ? undefined : turnOfLastMessage(run, records)
    if (run === undefined || last === undefined)
      return person.show('There is no message to change yet.\n')
    const replaced = await forkConversation(session, run, last)
    if (text === '') return person.suggest(replaced ?? '')
    const { leaves } = await turn(session, text)
    return leaves ? 'leave' : undefined
  },
}
