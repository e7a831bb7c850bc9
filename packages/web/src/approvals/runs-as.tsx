import type { Decision } from '@toolglot/permissions'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { reasonSentence } from './reasons.ts'
import { LongShellText } from './shell-box.tsx'

/** The code that the call may run, and the shell text to run, folded up; or a notice that the command runs as written. */
export function RunsAs({
  decision,
}: {
  readonly decision: Pick<Decision, 'runs' | 'unprinted' | 'code'>
}): ReactNode {
  return (
    <>
      <RunsCode code={decision.code} />
      <RunsText {...decision} />
    </>
  )
}

function RunsCode({ code }: { readonly code: Decision['code'] | undefined }): ReactNode {
  const { t } = useWords()
  const { files = [] } = code ?? {}
  if (!code?.anything && files.length === 0) return null
  return (
    <p className="dim">
      {code?.anything && t('approvals.anyCode')}{' '}
      {files.length > 0 && (
        <>
          {t('approvals.codeFiles')} <VisibleText text={files.join(', ')} />
        </>
      )}
    </p>
  )
}

function RunsText({ runs, unprinted }: Pick<Decision, 'runs' | 'unprinted'>): ReactNode {
  const { t } = useWords()
  if (unprinted !== undefined)
    return (
      <p className="dim">
        {t('approvals.unprinted')} <VisibleText text={reasonSentence(unprinted, t)} />
      </p>
    )
  if (runs === undefined) return null
  const label = t('approvals.runsAs')
  return (
    <details className="runsas">
      <summary className="label">{label}</summary>
      <LongShellText text={runs} label={label} />
    </details>
  )
}
