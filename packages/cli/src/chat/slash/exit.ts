import type { SlashCommand } from './slash-command.ts'

export const exit: SlashCommand = {
  name: 'exit',
  about: 'leave the chat (it can be resumed)',
  run: () => 'leave',
}
