import { ApiError } from '@toolglot/server/client'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { ParserLink } from '../../app/parser-link.tsx'
import { useApi } from '../../app/use-api.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ReplyText } from '../../ui/reply-text.tsx'
import { useWords } from '../../words/words.ts'

/** Thoughts that came apart from the reply: nobody reads more of them here. */
const MAX_THOUGHTS = 20_000

/** What the model wrote in a turn, coloured by what it was read as. */
export const ReplySection = memo(function ReplySection({
  run,
  turn,
}: {
  readonly run: string
  readonly turn: number
}): ReactNode {
  const { t } = useWords()
  const { data, error, isPending } = useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters: { run, turn: String(turn) } },
    { staleTime: Infinity },
  )
  const title = t('chat.wrote')
  return (
    <section className="border-0" id="reply">
      <h2>
        {title}
        <span className="end">
          {t('chat.turn', { number: turn + 1 })}
          {data && <ParserLink {...{ run, turn }} />}
          {data && <CopyButton text={data.content} />}
        </span>
      </h2>
      {isPending && <div className="skel" />}
      {error && (
        <p className="dim">{error instanceof ApiError ? error.detail : t('shell.unreachable')}</p>
      )}
      {data?.thoughts !== undefined && (
        <div className="wire w-r">{data.thoughts.slice(0, MAX_THOUGHTS)}</div>
      )}
      {data && (
        <ReplyText
          content={data.content}
          segments={data.segments}
          label={title}
          empty={t('chat.wrote.nothing')}
        />
      )}
    </section>
  )
})
