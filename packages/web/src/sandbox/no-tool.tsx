import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { PastRun } from './history/history.ts'
import type { ListedTool } from '../tools/listed-tool.ts'

/** What most people try first. */
const USUAL = ['Read', 'Grep', 'Bash', 'Glob', 'Edit', 'WebFetch']
const COUNT = 6

/** Nothing is chosen yet: the tools that were used last, or those that are used most. */
export function NoTool({
  tools,
  history,
  picker,
  onPick,
}: {
  readonly tools: readonly ListedTool[]
  readonly history: readonly PastRun[]
  readonly picker: ReactNode
  readonly onPick: (tool: string) => void
}): ReactNode {
  const { t } = useWords()
  const known = new Map(tools.map((tool) => [tool.name, tool]))
  const wanted = [...history.map(({ tool }) => tool), ...USUAL, ...known.keys()]
  const suggested = [...new Set(wanted)].filter((name) => known.has(name)).slice(0, COUNT)
  return (
    <section className="pane call" aria-label={t('sandbox.call')}>
      <div className="bar">{picker}</div>
      <div className="pad">
        <p className="dim">{t('sandbox.empty')}</p>
        <div className="suggestions">
          {suggested.map((name) => (
            <button key={name} type="button" className="suggestion" onClick={() => onPick(name)}>
              <span className="mono">
                <Icon name="tools" />
                <VisibleText text={name} />
              </span>
              <span className="dim cut">
                <VisibleText text={known.get(name)!.description.slice(0, 90)} />
              </span>
            </button>
          ))}
        </div>
      </div>
    </section>
  )
}
