import type { SlashCommand } from './slash-command.ts'

export const exit: SlashCommand = {
  name: 'exit',
  about: 'leave; the conversation is kept',
  run: () => 'leave',
}
