import { memo } from 'react'
import { useCommands } from '../app/commands.ts'

/**
 * The keyboard actions of a conversation. They must stay constant while a reply is written;
 * otherwise the palette would be rebuilt each time.
 */
export interface ChatKeys {
  readonly next: () => void
  readonly previous: () => void
  readonly end: () => void
  readonly editLast: () => void
  readonly toggleAside: () => void
}

/** Offers the commands of a conversation while it is shown. */
export const ChatCommands = memo(function ChatCommands({
  keys,
}: {
  readonly keys: ChatKeys
}): null {
  useCommands([
    { id: 'chat.next', label: 'chat.key.next', group: 'here', keys: 'j', run: keys.next },
    {
      id: 'chat.previous',
      label: 'chat.key.previous',
      group: 'here',
      keys: 'k',
      run: keys.previous,
    },
    {
      id: 'chat.end',
      label: 'chat.toEnd',
      group: 'here',
      icon: 'down',
      keys: 'End',
      run: keys.end,
    },
    {
      id: 'chat.edit',
      label: 'chat.key.edit',
      group: 'here',
      icon: 'edit',
      keys: 'e',
      run: keys.editLast,
    },
    {
      id: 'chat.aside',
      label: 'chat.key.aside',
      group: 'here',
      icon: 'panel',
      keys: ']',
      run: keys.toggleAside,
    },
  ])
  return null
})
