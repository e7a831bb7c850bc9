import type { MalformedPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { Bubble } from '../calls/bubble.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { ParserLink } from '../../app/parser-link.tsx'

/** A call that could not be read: what was expected, and on demand what the model wrote. */
export function Malformed({
  run,
  turn,
  part,
  isUnfolded = false,
}: {
  readonly run: string
  /** Undefined until it is recorded. */
  readonly turn: number | undefined
  readonly part: MalformedPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t } = useWords()
  return (
    <Bubble
      id={part.id}
      kind="broken"
      isUnfolded={isUnfolded}
      head={
        <>
          <span className="st no">
            <Icon name="hand" />
          </span>
          <span className="tool">{t('chat.malformed')}</span>
          <span className="what cut">{part.hint}</span>
        </>
      }
      end={<span className="wide-only">{t('chat.malformed.told')}</span>}
    >
      <p>{t(`chat.problem.${part.problem}`)}</p>
      <p className="mono break-words">{part.hint}</p>
      <div className="rowline">
        <span className="label">{t('chat.malformed.raw')}</span>
        <span className="grow" />
        {turn !== undefined && <ParserLink {...{ run, turn }} />}
        <CopyButton text={() => part.raw} className="btn ghost sm" />
      </div>
      <LongText text={part.raw} label={t('chat.malformed.raw')} />
    </Bubble>
  )
}
