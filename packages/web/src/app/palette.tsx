import { useNavigate } from '@tanstack/react-router'
import { Command as List } from 'cmdk'
import { useDeferredValue, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { commandText, groupCommands } from './command-groups.ts'
import { runCommand, useAllCommands } from './commands.ts'
import { Keys } from './keys.tsx'
import { runTitle } from './use-runs.ts'
import { useApi } from './use-api.ts'

/** All available commands with search, and older runs. */
export default function Palette({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const commands = useAllCommands()
  const [isOpen, setOpen] = useState(true)
  const [typed, setTyped] = useState('')
  const chosen = useRef<() => void>(undefined)
  const choose = (work: () => void): void => {
    chosen.current = work
    setOpen(false)
  }
  const shown = commands.filter(({ id }) => id !== 'palette')
  const search = useDeferredValue(typed.trim())
  const found = useApi(
    'GET /api/runs',
    { query: { search, limit: 20 } },
    { enabled: search.length > 1 },
  ).data
  const known = new Set(shown.map(({ id }) => id))
  const older = search.length > 1 ? (found ?? []).filter(({ run }) => !known.has(run)) : []
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title={t('shell.palette')}
      hasTitle={false}
      className="flex flex-col overflow-hidden [&_[cmdk-input]]:h-[46px] [&_[cmdk-input]]:pr-12 [&_[cmdk-input]]:pl-4 [&_[cmdk-input]]:text-15 [&_[cmdk-item]]:min-h-[34px]"
      onClosed={() => {
        close()
        chosen.current?.()
      }}
    >
      <List label={t('shell.palette')} loop shouldFilter={false}>
        <List.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t('shell.palette.what')}
          autoFocus
        />
        <List.List label={t('shell.palette')}>
          <List.Empty>{t('shell.nothingFound')}</List.Empty>
          {groupCommands(shown, t, typed).map(({ title, commands: each }) => (
            <List.Group key={title} heading={t(title)}>
              {each.map((command) => (
                <List.Item
                  key={command.id}
                  value={command.id}
                  onSelect={() => choose(() => runCommand(command.id))}
                >
                  <Icon name={command.icon ?? 'right'} />
                  <span className="min-w-0 truncate">{commandText(command, t)}</span>
                  {command.keys !== undefined && <Keys keys={command.keys} className="ml-auto" />}
                </List.Item>
              ))}
            </List.Group>
          ))}
          {older.length > 0 && (
            <List.Group heading={t('shell.group.older')}>
              {older.map((run) => (
                <List.Item
                  key={run.run}
                  value={run.run}
                  onSelect={() =>
                    choose(() => void navigate({ to: '/chats/$run', params: { run: run.run } }))
                  }
                >
                  <Icon name="clock" />
                  <span className="min-w-0 truncate">{runTitle(run, t)}</span>
                </List.Item>
              ))}
            </List.Group>
          )}
        </List.List>
      </List>
    </Dialog>
  )
}
