import { useRef, type ReactNode } from 'react'
import { saveText } from '../../chat/calls/save-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { MAX_DRAWN } from '../limits.ts'
import type { CheckedPicture } from './check-picture.ts'
import { STARTS } from './starts.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** The state of the drawn protocol, and actions for its text. */
export function DrawBar({
  source,
  onChange,
  result,
  isChecking,
}: {
  readonly source: string
  readonly onChange: (source: string) => void
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
}): ReactNode {
  const { t, number } = useWords()
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const replace = (next: string): void => {
    if (next === source) return
    onChange(next)
    if (STARTS.some((start) => start.source === source)) return
    toast({
      title: t('draw.replaced'),
      actions: [{ label: t('draw.putBack'), run: () => onChange(source) }],
    })
  }
  const open = async (file: File): Promise<void> => {
    try {
      const tooLong = file.size > 4 * MAX_DRAWN
      const text = tooLong ? '' : await file.text()
      if (tooLong || text.length > MAX_DRAWN)
        toast({ title: t('draw.open.tooLong', { max: number(MAX_DRAWN) }), kind: 'no' })
      else replace(text)
    } catch {
      toast({ title: t('draw.open.failed'), kind: 'no' })
    }
  }
  return (
    <div className="toolbar flex-wrap gap-y-1 py-1.5">
      <h2 className="font-580">{t('draw.title')}</h2>
      <DrawState {...{ result, isChecking }} />
      <span className="min-w-0 flex-1" />
      <Menu
        label={t('draw.start.label')}
        align="end"
        trigger={
          <Button look="ghost" small>
            {t('draw.start')}
            <Icon name="down" />
          </Button>
        }
        items={STARTS.map(({ label, source: start }) => ({
          label: t(label),
          isChosen: start === source,
          run: () => replace(start),
        }))}
      />
      <input
        ref={input}
        type="file"
        accept=".ts,.mts,.js,.mjs,text/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('draw.open')}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) void open(file)
        }}
      />
      <Button look="ghost" small onClick={() => input.current?.click()}>
        <Icon name="folder" />
        {t('draw.open')}
      </Button>
      <CopyButton
        text={source}
        label={t('draw.copy')}
        className="button button-small button-ghost"
      />
      <Button small onClick={() => saveText(fileName(result), source)}>
        <Icon name="export" />
        {t('draw.save')}
      </Button>
    </div>
  )
}

/** The state of a drawn protocol in a few words. */
function DrawState({
  result,
  isChecking,
}: {
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
}): ReactNode {
  const { t } = useWords()
  const broken = result?.laws.filter(({ failures, advice }) => failures.length > 0 && !advice) ?? []
  const problems = result?.problems.length ?? 0
  return (
    <span className="inline-flex gap-1">
      {isChecking && (
        <Chip>
          <Spinner aria-hidden="true" />
          {t('draw.checking')}
        </Chip>
      )}
      {/* Announced only when the check is complete, not on every keystroke. */}
      <span className="inline-flex gap-1" role="status">
        {!isChecking && problems > 0 && (
          <Chip tone="no">{t('draw.state.problems', { count: problems })}</Chip>
        )}
        {!isChecking && broken.length > 0 && (
          <Chip tone="no">{t('draw.state.broken', { count: broken.length })}</Chip>
        )}
        {!isChecking && result && problems + broken.length === 0 && (
          <Chip tone="ok">{t(result.id === undefined ? 'draw.state.none' : 'draw.state.ok')}</Chip>
        )}
      </span>
    </span>
  )
}

/** The file name of a drawn protocol. */
export function fileName(result: CheckedPicture | undefined): string {
  return `${result?.id ?? 'protocol'}.ts`
}
