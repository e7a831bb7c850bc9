import { parseKey } from '@toolglot/agent/journal/internal'
import type { RunView } from '@toolglot/react/view'
import { type ReactNode, useEffect, useState } from 'react'
import { useCommands } from '../../app/commands.ts'
import { Keys } from '../../app/keys.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useWords } from '../../words/words.ts'
import { useTurn } from '../turn/reply-pane.tsx'
import { ForkForm } from './fork-form.tsx'
import { Button } from '../../ui/button.tsx'

/** The time for which a value must stay the same, in milliseconds. */
const PAUSE = 250

/** Forks a run at a turn. */
export function ForkButton({
  view,
  turn,
  isComplete,
  isFixed,
  forkTurn,
  onFork,
}: {
  readonly view: RunView
  /** The selected turn, in the numbering of the page. */
  readonly turn: number | undefined
  readonly isComplete: boolean
  /** True if the run is read-only. */
  readonly isFixed: boolean
  /** The turn to fork at while the form is open, in the numbering of forks. */
  readonly forkTurn: number | undefined
  readonly onFork: (turn: number | undefined) => void
}): ReactNode {
  const { t } = useWords()
  // In a replay the turn changes quickly: it is requested only after it has stayed the same.
  const isResting = useRested(turn) === turn
  const { data } = useTurn(view.run, turn, isComplete && isResting)
  // The final turn after a limit has no number: the fork copies everything before it.
  const key = data && parseKey(data.key)
  const here = key?.type === 'turn' && !key.final ? key.turn : undefined
  const at = forkTurn ?? here
  const isOff = isFixed || at === undefined
  const label = t('runs.fork.from', { turn: (at ?? turn ?? 0) + 1 })
  useCommands(
    isOff
      ? []
      : [
          {
            id: 'runs.fork',
            label: { text: label },
            group: 'here',
            keys: 'f',
            icon: 'fork',
            run: () => onFork(here),
          },
        ],
  )
  return (
    <Popover
      open={forkTurn !== undefined && !isFixed}
      onOpenChange={(open) => onFork(open ? here : undefined)}
      align="end"
      label={label}
      className="w-[356px] px-3.5 py-[13px]"
      trigger={
        <Button disabled={isOff && isResting} title={isFixed ? t('runs.fork.fixed') : undefined}>
          <Icon name="fork" />
          <span>{label}</span>
          <Keys keys="f" className="max-[1281px]:hidden" />
        </Button>
      }
    >
      {at !== undefined && (
        <ForkForm
          key={at}
          view={view}
          turn={at}
          messages={at === here ? data?.prompt?.messages.length : undefined}
          close={() => onFork(undefined)}
        />
      )}
    </Popover>
  )
}

/** The value after it has stayed the same for a moment. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
