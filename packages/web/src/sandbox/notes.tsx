import { useState } from 'react'
import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { Draft } from './arguments/drafts.ts'
import { JsonProblemText } from './arguments/json-problem.tsx'
import type { Mode } from './call-pane.tsx'
import type { ListedTool } from '../tools/listed-tool.ts'
import { Button } from '../ui/button.tsx'
import { LONG_BANNER } from './looks.ts'

const SHORT = 220
const LONG = 4000
const MAX_WARNINGS = 5

/** The tool's description and notes about it. */
export function ToolNotes({
  name,
  tool,
  isAlias,
  warnings,
}: {
  readonly name: string
  readonly tool: ListedTool | undefined
  readonly isAlias: boolean
  /** Warnings that may explain missing tools. */
  readonly warnings: readonly string[]
}): ReactNode {
  const { t } = useWords()
  if (!tool)
    return (
      <>
        <Banner icon="hand" className={LONG_BANNER}>
          {t('sandbox.tool.unknown', { name: spellUnseen(name.slice(0, 100)) })}
        </Banner>
        {warningsOf(name, warnings).map((warning) => (
          <p key={warning} className="doubt">
            <VisibleText text={warning.slice(0, SHORT * 2)} />
          </p>
        ))}
      </>
    )
  return (
    <>
      {!tool.enabled && (
        <Banner icon="slash" className={LONG_BANNER}>
          {t('sandbox.tool.off')}
        </Banner>
      )}
      {isAlias && (
        <p className="text-ink-2">{t('sandbox.tool.alias', { name: spellUnseen(tool.name) })}</p>
      )}
      <Description key={tool.name} text={tool.description} />
    </>
  )
}

/** The warnings that may explain why a tool is missing: those about its server. */
function warningsOf(tool: string, warnings: readonly string[]): readonly string[] {
  const [, server] = /^mcp__(.+?)__/.exec(tool) ?? []
  return warnings
    .filter((warning) => server !== undefined && warning.includes(server))
    .slice(0, MAX_WARNINGS)
}

function Description({ text }: { readonly text: string }): ReactNode {
  const { t } = useWords()
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHORT
  if (text === '') return null
  return (
    <p className="max-w-[72ch] wrap-anywhere whitespace-pre-line text-ink-2">
      <VisibleText
        text={isLong && !isWhole ? `${text.slice(0, SHORT).trimEnd()}… ` : text.slice(0, LONG)}
      />{' '}
      {isLong && (
        <button
          type="button"
          className="text-link text-ink-2"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {t(isWhole ? 'sandbox.less' : 'sandbox.more')}
        </button>
      )}
    </p>
  )
}

/** Notes on the origin of the arguments and on errors in their JSON. */
export function ArgumentNotes({
  draft: { isFromLink, problem },
  mode,
  onMode,
}: {
  readonly draft: Draft
  readonly mode: Mode
  readonly onMode: (mode: Mode) => void
}): ReactNode {
  const { t } = useWords()
  return (
    <>
      {isFromLink && (
        <Banner icon="share" className={LONG_BANNER}>
          {t('sandbox.fromLink')}
        </Banner>
      )}
      {problem && (
        <Banner
          kind="no"
          icon="x"
          className={LONG_BANNER}
          action={
            mode === 'form' && (
              <Button small onClick={() => onMode('json')}>
                {t('sandbox.json.show')}
              </Button>
            )
          }
        >
          <JsonProblemText problem={problem} /> {mode === 'form' && t('sandbox.json.formKept')}
        </Banner>
      )}
    </>
  )
}
