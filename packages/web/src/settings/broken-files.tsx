import type { ReactNode } from 'react'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Banner } from '../ui/banner.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { Settings } from './place.ts'
import { usePathText } from './use-path-text.ts'

/** Something that is wrong, and where. */
interface Found {
  readonly file: string
  readonly line?: number | undefined
  readonly reason: string
}

/** What is wrong in settings files, and what still works. */
export function BrokenFiles({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useWords()
  const { folder } = useFolder()
  const pathText = usePathText(settings.folder)
  const lint = useApi('GET /api/permit/lint', { query: { folder } })
  const rules = (lint.data?.problems ?? []).map(({ file, line, rule, problem }) => ({
    file: file ?? '',
    line,
    reason: `${rule}: ${problem}`,
  }))
  const problems = settings.files.flatMap((file) => file.problems)
  const warnings = settings.files.flatMap((file) => file.warnings)
  if (rules.length + problems.length + warnings.length === 0) return null
  const list = (found: readonly Found[]): ReactNode => (
    <ul className="grid gap-1">
      {found.map(({ file, line, reason }, at) => (
        <li key={at}>
          <code title={file}>
            <VisibleText text={pathText(file) + (line === undefined ? '' : `:${line}`)} />
          </code>{' '}
          <VisibleText text={reason} />
        </li>
      ))}
    </ul>
  )
  return (
    <div className="broken">
      {rules.length > 0 && (
        <Banner kind="no" icon="slash">
          <b>{t('settings.rules.invalid', { count: rules.length })}</b>
          {list(rules)}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner kind="no" icon="hand">
          <b>{t('settings.broken', { count: new Set(problems.map(({ file }) => file)).size })}</b>{' '}
          {t('settings.broken.effect')}
          {list(problems)}
        </Banner>
      )}
      {warnings.length > 0 && (
        <Banner icon="hand">
          <b>{t('settings.warnings')}</b>
          {list(warnings)}
        </Banner>
      )}
    </div>
  )
}
