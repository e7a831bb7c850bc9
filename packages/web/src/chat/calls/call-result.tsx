import type { ToolOutcome } from '@toolglot/agent'
import { useMemo, useState, type ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { Prose } from '../messages/prose.tsx'
import { textBlocks } from '../rows/text-blocks.ts'
import { saveText } from './save-text.ts'
import { Button } from '../../ui/button.tsx'

/** The forms in which a result can be shown. */
type ResultForm = 'text' | 'markdown' | 'json' | 'raw'

/** Escape sequences of terminals: colors, cursor movements, titles, links. */
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Longer text is parsed as JSON only if the user selects that form. */
const MAX_TRIED = 200_000

/** The result of a tool in a run, in the form that the user selects. */
export function CallResult({
  id,
  outcome,
}: {
  readonly id: string
  readonly outcome: ToolOutcome
}): ReactNode {
  const { maxResult } = useChatActions()
  return <ResultForms id={id} outcome={outcome} maxResult={maxResult()} />
}

/** A result in the form that the user selects: as text, as Markdown, as JSON, or unchanged. */
export function ResultForms({
  id,
  outcome,
  maxResult = Infinity,
}: {
  /** Its file name. */
  readonly id: string
  readonly outcome: Pick<ToolOutcome, 'text' | 'data' | 'truncated' | 'size'>
  /** The maximum number of characters that the model receives. */
  readonly maxResult?: number | undefined
}): ReactNode {
  const { t, number } = useWords()
  const [form, setForm] = useState<ResultForm>('text')
  const json = useMemo(() => (form === 'json' ? jsonText(outcome) : undefined), [outcome, form])
  const hasJson = useMemo(() => mayBeJson(outcome), [outcome])
  if (outcome.text === '' && !hasJson) return <p className="text-ink-3">{t('chat.result.empty')}</p>
  const FORMS = [
    { value: 'text', label: t('chat.result.text') },
    { value: 'markdown', label: 'Markdown' },
    { value: 'json', label: 'JSON', disabled: !hasJson },
    { value: 'raw', label: t('chat.result.raw'), title: t('chat.result.raw.about') },
  ] as const
  return (
    <>
      <div className="cluster">
        <Segments value={form} onChange={setForm} options={FORMS} label={t('chat.result.as')} />
        <span className="min-w-0 flex-1" />
        <Button
          look="ghost"
          small
          title={t('chat.result.save')}
          onClick={() => saveText(`${id}.${form === 'json' ? 'json' : 'txt'}`, outcome.text)}
        >
          <Icon name="export" />
          {t('chat.result.save')}
        </Button>
        <CopyButton text={json ?? outcome.text} className="button button-ghost button-small" />
      </div>
      {form === 'json' && json === undefined ? (
        <p className="text-ink-2" role="status">
          {t('chat.result.notJson')}
        </p>
      ) : (
        <ResultText key={form} text={json ?? outcome.text} form={form} />
      )}
      {outcome.text.length > maxResult && (
        <p className="text-ink-2">{t('chat.result.modelGot', { count: number(maxResult) })}</p>
      )}
      {outcome.truncated && (
        <p className="text-ink-2">
          {outcome.size === undefined
            ? t('chat.result.truncated', { kept: number(outcome.text.length) })
            : t('chat.result.truncatedOf', {
                kept: number(outcome.text.length),
                size: number(outcome.size),
              })}
        </p>
      )}
    </>
  )
}

/** Splits into pages before any processing: a result can have megabytes. */
function ResultText({
  text,
  form,
}: {
  readonly text: string
  readonly form: ResultForm
}): ReactNode {
  const { t } = useWords()
  const label = t('chat.result')
  if (form === 'raw') return <LongText text={text} label={label} />
  return (
    <LongText text={text}>
      {(shown) =>
        form === 'markdown' ? (
          <MarkdownResult text={withoutTerminal(shown)} />
        ) : (
          <pre className="code" tabIndex={0} role="region" aria-label={label}>
            {withoutTerminal(shown)}
          </pre>
        )
      }
    </LongText>
  )
}

/** Enough to fill the box; each block has its own elements. */
const MAX_BLOCKS = 60

function MarkdownResult({ text }: { readonly text: string }): ReactNode {
  const blocks = useMemo(() => textBlocks(text), [text])
  return (
    <div className="code grid gap-2 font-sans">
      {blocks.slice(0, MAX_BLOCKS).map((block, at) => (
        <Prose key={at} block={block} />
      ))}
      {blocks.length > MAX_BLOCKS && '…'}
    </div>
  )
}

/** A text without terminal escape sequences. */
export function withoutTerminal(text: string): string {
  return text.replace(TERMINAL, '')
}

/** True if a result can probably be shown as JSON, judged by a quick test. */
export function mayBeJson({ text, data }: Pick<ToolOutcome, 'text' | 'data'>): boolean {
  if (data !== undefined) return true
  return /^\s*[[{]/.test(text) && (text.length > MAX_TRIED || readJson(text) !== undefined)
}

/** The result as JSON, or undefined if it isn't JSON. */
export function jsonText({
  text,
  data = readJson(text),
}: Pick<ToolOutcome, 'text' | 'data'>): string | undefined {
  return data === undefined ? undefined : JSON.stringify(data, null, 2)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text only begins like JSON.
    return undefined
  }
}
