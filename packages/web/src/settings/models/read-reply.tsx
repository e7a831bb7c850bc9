import { useQuery } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer } from '@toolglot/server/client'
import type { ReactNode } from 'react'
import { useFolder } from '../../folders/use-folder.ts'
import { ReplyText } from '../../ui/reply-text.tsx'
import { useWords } from '../../words/words.ts'

/** What a model wrote, coloured by what it was read as. */
export function ReadReply({
  trial: { reply, protocol },
}: {
  readonly trial: ApiAnswer<'POST /api/models/test'>
}): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const { folder } = useFolder()
  const { data } = useQuery({
    queryKey: ['read', reply, protocol, folder],
    queryFn: ({ signal }) =>
      client.request('POST /api/parse', {
        body: { folder, text: reply, protocols: [protocol!], tools: [{ name: 'get_weather' }] },
        signal,
      }),
    enabled: protocol !== undefined && reply !== '',
    staleTime: Infinity,
  })
  if (reply === '') return <p className="dim">{t('settings.models.wroteNothing')}</p>
  return (
    <ReplyText
      content={reply}
      segments={data?.reply.segments ?? UNREAD}
      label={t('settings.models.wrote')}
    />
  )
}

const UNREAD: readonly never[] = []
