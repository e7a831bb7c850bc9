import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { forkConversation, recordedRun } from '../fork-conversation.ts'
import type { SlashCommand } from './slash-command.ts'

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[TURN]',
  about:
    'continue in a copy of this conversation, or of what came before a turn (see toolglot replay)',
  async run(session, argument) {
    const run = recordedRun(session)
    if (run === undefined) return session.person.show('There is nothing to copy yet.\n')
    const replaced = await forkConversation(session, run, turnOf(argument))
    session.person.suggest(replaced ?? '')
  },
}

function turnOf(text: string): number | undefined {
  if (text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UserError('usage', {
    expected: 'the number of a turn',
    got: quote(text),
    advice: 'toolglot replay shows them',
  })
}
