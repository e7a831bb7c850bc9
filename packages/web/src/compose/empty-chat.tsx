import type { Chat } from '@toolglot/react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { composeKey, useCompose } from './compose-store.ts'
import { NoModel } from './no-model.tsx'
import { ReadyModel } from './ready-model.tsx'
import { useSelected } from './use-selected.ts'
import { useSend } from './use-send.ts'

/** What a chat shows before its first message: what to ask, and who answers. */
export function EmptyChat({
  chat,
  folder,
}: {
  readonly chat: Chat
  readonly folder: string | undefined
}): ReactNode {
  const { t } = useWords()
  const [compose, change] = useCompose(composeKey(chat, folder))
  const selected = useSelected(compose.choices, undefined, folder)
  const { send } = useSend(chat, folder)
  const { models, isScript } = selected
  return (
    <div className="scroll emptychat">
      <div className="empty">
        {models === undefined ? (
          <p className="dim-2" role="status">
            {t('compose.empty.looking')}
          </p>
        ) : isScript ? (
          <NoModel {...{ models, send }} isBusy={compose.isSending} />
        ) : (
          <ReadyModel
            {...{ models, selected, send }}
            isBusy={compose.isSending}
            onAgree={(model) => change({ choices: { ...compose.choices, model } })}
          />
        )}
      </div>
    </div>
  )
}
