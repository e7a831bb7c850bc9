import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Picker } from '../../ui/picker.tsx'
import { spellUnseen } from '../../ui/unseen.ts'
import { Switch } from '../../ui/switch.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { changeParser, type ParserState } from '../parser-store.ts'
import { ProtocolName } from '../protocol-option.tsx'
import type { KnownProtocols } from '../use-protocols.ts'
import type { ReadState } from '../use-reading.ts'
import type { Comparison, Pieces } from '../worker/messages.ts'
import { type Cards, CompareColumn, differences, COLUMN } from './compare-column.tsx'
import { Button } from '../../ui/button.tsx'

const MAX_COLUMNS = 4

/** The readings of several protocols, side by side. */
export function ComparePane({
  state: { text: wanted, compared, protocol, onlyDifferences },
  read,
  known,
  isOpening,
}: {
  readonly state: ParserState
  readonly read: ReadState
  readonly known: KnownProtocols
  /** True while the text of the address is loading. */
  readonly isOpening: boolean
}): ReactNode {
  const { t } = useWords()
  const { comparison, text } = read
  const ids = compared ?? (comparison ? firstColumns(comparison, protocol) : [])
  const pieces = usePieces(read, ids)
  const parts = useMemo(() => {
    const all = ids.flatMap((id) => pieces.get(id)?.pieces ?? [])
    return onlyDifferences && all.length > 1 ? differences(all, text.length) : undefined
  }, [ids.join(' '), pieces, onlyDifferences, text])
  const about = new Map(known.builtIn.map((each) => [each.id, each.about]))
  if (!comparison)
    return (
      <NoComparison
        read={read}
        isEmpty={wanted === '' && !isOpening}
        isPending={isOpening || read.isCompared}
      />
    )
  return (
    <div className="pane">
      <div className="toolbar">
        <span className="text-ink-2">{t('parser.sideBySide')}</span>
        {ids.map((id) => (
          <button
            key={id}
            type="button"
            className="picker-button"
            title={t('parser.compare.remove', { protocol: id })}
            onClick={() => changeParser({ compared: ids.filter((each) => each !== id) })}
          >
            <ProtocolName id={id} />
            <Icon name="x" />
          </button>
        ))}
        {ids.length < MAX_COLUMNS && (
          <Picker
            label={t('parser.protocol.find')}
            value={undefined}
            options={comparison.tracks
              .flatMap(({ protocols }) => protocols)
              .filter((id) => !ids.includes(id))
              .map((id) => ({
                value: id,
                label: <ProtocolName id={id} />,
                about: <VisibleText text={about.get(id) ?? ''} />,
              }))}
            onChange={(id) => changeParser({ compared: [...ids, id] })}
            trigger={
              <Button look="ghost" small>
                <Icon name="plus" />
                {t('parser.protocol')}
              </Button>
            }
          />
        )}
        <span className="min-w-0 flex-1" />
        <label className="cluster text-ink-2">
          <Switch
            checked={onlyDifferences}
            onChange={(next) => changeParser({ onlyDifferences: next })}
            label={t('parser.onlyDifferences')}
          />
          <span aria-hidden="true">{t('parser.onlyDifferences')}</span>
        </label>
      </div>
      <div className="grid min-h-0 auto-cols-fr grid-flow-col phone:grid-flow-row">
        {ids.map((id) => (
          <CompareColumn
            key={id}
            id={id}
            about={about.get(id) ?? ''}
            track={comparison.tracks.find(({ protocols }) => protocols.includes(id))}
            pieces={pieces.get(id)?.pieces}
            cards={pieces.get(id)?.cards}
            parts={parts}
            text={text}
          />
        ))}
      </div>
    </div>
  )
}

/**
 * Replaces the columns if there is nothing to compare, no comparison yet, or the text is too long
 * to compare without a request.
 */
function NoComparison({
  read: { error, compare },
  isEmpty,
  isPending,
}: {
  readonly read: ReadState
  readonly isEmpty: boolean
  readonly isPending: boolean
}): ReactNode {
  const { t } = useWords()
  if (error !== undefined)
    return (
      <div className="pane">
        <Banner kind="no" icon="hand">
          {t('parser.failed', { message: spellUnseen(error) })}
        </Banner>
      </div>
    )
  if (isPending && !isEmpty)
    return (
      <div className="pane" aria-busy="true">
        <p className="pane-content text-ink-2" role="status">
          {t('parser.comparing')}
        </p>
        <div className="grid min-h-0 auto-cols-fr grid-flow-col phone:grid-flow-row">
          {[1, 2, 3].map((each) => (
            <section key={each} className={COLUMN}>
              <div className="skeleton" />
            </section>
          ))}
        </div>
      </div>
    )
  return (
    <div className="pane">
      <div className="empty pane-content">
        <b>{t(isEmpty ? 'parser.compare.empty' : 'parser.compare.long')}</b>
        {!isEmpty && <Button onClick={compare}>{t('parser.compareAll')}</Button>}
      </div>
    </div>
  )
}

/** The chosen protocol, and the first one with a different reading. */
function firstColumns({ tracks }: Comparison, protocol: string): readonly string[] {
  const chosen = tracks.find(({ protocols }) => protocols.includes(protocol))
  const others = tracks.filter((track) => track !== chosen)
  const ids = others.map(({ protocols }) => protocols[0]!)
  return chosen ? [protocol, ...ids.slice(0, 2)] : ids.slice(0, 3)
}

/** The state of a column. */
interface Column {
  readonly pieces: Pieces
  readonly cards: Cards
}

const NONE: ReadonlyMap<string, Column> = new Map()

/** The pieces and cards of the given protocols. */
function usePieces(
  { client, comparison }: ReadState,
  ids: readonly string[],
): ReadonlyMap<string, Column> {
  const [known, setKnown] = useState<{
    readonly of: Comparison | undefined
    readonly pieces: ReadonlyMap<string, Column>
  }>({ of: undefined, pieces: NONE })
  const wanted = ids.join(' ')
  useEffect(() => {
    if (!comparison) return
    let isCurrent = true
    Promise.all(
      ids.map(async (id) => {
        const [own, cards] = await Promise.all([
          client.ask('pieces', { protocol: id }),
          client.ask('cards', { protocol: id }),
        ])
        return [id, { pieces: own, cards }] as const
      }),
    ).then(
      (all) => isCurrent && setKnown({ of: comparison, pieces: new Map(all) }),
      // The text has changed, and a new comparison will follow.
      () => {},
    )
    return () => void (isCurrent = false)
  }, [client, comparison, wanted])
  return known.of === comparison ? known.pieces : NONE
}
