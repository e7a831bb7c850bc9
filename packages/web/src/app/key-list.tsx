import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/words.ts'
import { commandText, groupCommands } from './command-groups.ts'
import { useAllCommands } from './commands.ts'
import { Keys } from './keys.tsx'

/** All keys that currently have a function. */
export default function KeyList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const commands = useAllCommands().filter(({ keys }) => keys !== undefined)
  return (
    <Dialog open onOpenChange={close} title={t('shell.keys')}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(230px,1fr))] gap-x-7 gap-y-3.5 px-4 pt-2 pb-4">
        {groupCommands(commands, t).map(({ title, commands: each }) => (
          <section key={title}>
            <h3 className="label">{t(title)}</h3>
            <dl>
              {each.map((command) => (
                <div
                  key={command.id}
                  className="flex min-h-[27px] items-center justify-between gap-3 border-b border-line"
                >
                  <dt>{commandText(command, t)}</dt>
                  <dd>
                    <Keys keys={command.keys!} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
