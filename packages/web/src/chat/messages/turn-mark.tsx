import type { TurnItem } from '@toolglot/react/view'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Strip } from '../../ui/strip.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { stripPieces } from '../rows/strip-pieces.ts'
import { tokenRate } from '../rows/token-rate.ts'

/** Where a turn of the model begins: what it was read as, and how fast it came. */
export function TurnMark({ item }: { readonly item: TurnItem }): ReactNode {
  const { t, number } = useWords()
  const { showTurn } = useChatActions()
  const pieces = useMemo(() => stripPieces(item), [item])
  const rate = tokenRate(item)
  return (
    <div className="turnmark">
      <span className="num">{t('chat.turn', { number: item.turn + 1 })}</span>
      {pieces.length > 0 ? (
        <Strip pieces={pieces} />
      ) : (
        item.isOpen && (
          <span className="rowline">
            <span className="spin" />
            {t('chat.reading')}
          </span>
        )
      )}
      {rate !== undefined && (
        <span className="rate num wide-only">
          {t('chat.rate', { rate: number(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 }) })}
        </span>
      )}
      {item.isUnfinished && <span className="chip">{t('chat.unfinished')}</span>}
      {!item.isOpen && !item.isUnfinished && (
        <button
          type="button"
          className="btn ghost sm"
          title={t('chat.raw.about')}
          onClick={() => showTurn(item.turn)}
        >
          <Icon name="parser" />
          {t('chat.raw')}
        </button>
      )}
    </div>
  )
}
