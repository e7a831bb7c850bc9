import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import type { ParserSearch } from '../app/router.tsx'
import { runTitle } from '../app/run-title.ts'
import { useRecentRuns } from '../app/use-runs.ts'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** How many turns of a run are offered: the last ones. */
const MAX_TURNS = 8

/** Chooses a reply of a run. */
export function RunButton(): ReactNode {
  const { t, date } = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const runs = useRecentRuns()
  useCommands([
    {
      id: 'parser run',
      label: 'parser.run',
      group: 'here',
      icon: 'chat',
      run: () => setOpen(true),
    },
  ])
  const options = (runs ?? []).flatMap((each) =>
    Array.from({ length: Math.min(each.turns, MAX_TURNS) }, (_, back) => {
      const turn = each.turns - 1 - back
      return {
        value: `${each.run} ${turn}`,
        label: t('chat.turn', { number: turn + 1 }),
        keywords: [runTitle(each, t), each.model ?? ''],
        about: <VisibleText text={each.model ?? ''} />,
        group: `${runTitle(each, t)} · ${date(each.last, { dateStyle: 'medium', timeStyle: 'short' })}`,
      }
    }),
  )
  return (
    <Picker
      label={t('parser.run.find')}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      value={undefined}
      options={options}
      onChange={(picked) => {
        const [run = '', turn = '0'] = picked.split(' ')
        void navigate({
          to: '/parser',
          search: ({ folder }: ParserSearch) => ({
            folder,
            run,
            turn: Number(turn),
          }),
        })
      }}
      trigger={
        <button
          type="button"
          className="btn ghost"
          title={t('parser.run')}
          aria-label={t('parser.run')}
        >
          <Icon name="chat" />
          <span>{t('parser.run')}</span>
        </button>
      }
    />
  )
}
