import type { TurnItem } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Loaded } from '../../app/loaded.tsx'
import { ParserLink } from '../../app/parser-link.tsx'
import { useFormat, tokenRate } from '../../chat/format.ts'
import { stripPieces } from '../../chat/rows/strip-pieces.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { ReplyText } from '../../ui/reply-text.tsx'
import { Strip } from '../../ui/strip.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useApi } from '../../app/use-api.ts'
import { PaneFigures, TurnPane } from './turn-pane.tsx'

/** The exact reply of a turn, colored by the kinds of its pieces. */
export function ReplyPane({
  run,
  item,
}: {
  readonly run: string
  readonly item: TurnItem
}): ReactNode {
  const { t, number } = useWords()
  const { tokens } = useFormat()
  const { turn } = item
  const query = useTurn(run, turn)
  const { data } = query
  const rate = tokenRate(item)
  const title = t('runs.reply', { turn: turn + 1 })
  return (
    <TurnPane
      title={title}
      head={
        <>
          <span className="w-[120px] min-w-0 flex-[0_1000_120px] tablet:hidden">
            <Strip pieces={stripPieces(item)} />
          </span>
          <PaneFigures>
            {item.usage && t('runs.tokens', { count: tokens(item.usage.output) })}
            {rate !== undefined &&
              ` · ${t('runs.rate', { rate: number(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 }) })}`}
          </PaneFigures>
          <ParserLink {...{ run, turn }} />
          {data && <CopyButton text={data.content} label={t('runs.reply.copy')} />}
        </>
      }
    >
      <Loaded query={query}>
        {({ content, segments, thoughts, prefill, finish }) => (
          <>
            {thoughts !== undefined && thoughts !== '' && (
              <LongText
                text={thoughts}
                className="wire read-reasoning max-h-[30%]! flex-none"
                label={t('chat.reasoning')}
              />
            )}
            {prefill !== undefined && prefill !== '' && (
              <p className="text-ink-2">
                <VisibleText text={t('runs.reply.prefill', { text: prefill.slice(0, 200) })} />
              </p>
            )}
            <ReplyText
              key={turn}
              content={content}
              segments={segments}
              label={title}
              empty={t('chat.wrote.nothing')}
            />
            {(finish === 'length' || finish === 'broken') && (
              <p className="text-ask">{t(`runs.reply.${finish}`)}</p>
            )}
          </>
        )}
      </Loaded>
    </TurnPane>
  )
}

/** A recorded turn. */
export type RecordedTurn = ApiAnswer<'GET /api/runs/:run/turns/:turn'>

/** A recorded turn. Requested only once it is complete. */
export function useTurn(
  run: string,
  turn: number | undefined,
  isComplete = true,
): UseQueryResult<RecordedTurn> {
  return useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters: { run, turn: String(turn ?? 0) } },
    { staleTime: Infinity, enabled: turn !== undefined && isComplete },
  )
}
