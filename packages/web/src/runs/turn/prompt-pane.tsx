import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { Loaded } from '../../app/loaded.tsx'
import { useFormat } from '../../chat/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Picker } from '../../ui/picker.tsx'
import { useWords } from '../../words/words.ts'
import { type RecordedTurn, useTurn } from './reply-pane.tsx'
import './turn.css'
import type { ApiAnswer } from '@toolglot/server/client'
import type { Mark } from '../../ui/editor/marks.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { PaneFigures, TurnPane } from './turn-pane.tsx'

/** The prompt sent to a model. */
type SentPrompt = NonNullable<ApiAnswer<'GET /api/runs/:run/turns/:turn'>['prompt']>

/** A prompt as one text, with the ranges added by the page. */
interface PrintedPrompt {
  readonly text: string
  /** The lines with the role of the next message. They were not sent. */
  readonly marks: readonly Mark[]
}

/** The number of characters shown of an image. */
const MAX_OTHER = 200

const TextEditor = lazy(() => import('../../ui/editor/text-editor.tsx'))
const TextDiff = lazy(() => import('../../ui/editor/text-diff.tsx'))

/** The exact prompt of a turn, or its differences from that of another turn. */
export function PromptPane({
  run,
  turn,
  other,
  turns,
  onCompare,
}: {
  readonly run: string
  readonly turn: number
  /** The turn to compare with. */
  readonly other: number | undefined
  /** The turns available for comparison. */
  readonly turns: readonly number[]
  readonly onCompare: (other: number | undefined) => void
}): ReactNode {
  const { t, number } = useWords()
  const { tokens } = useFormat()
  const query = useTurn(run, turn)
  const before = useTurn(run, other)
  const [isChoosing, setChoosing] = useState(false)
  const { data } = query
  const printed = useMemo(() => data?.prompt && printPrompt(data.prompt), [data])
  const title =
    other === undefined
      ? t('runs.prompt', { turn: turn + 1 })
      : t('runs.prompt.compared', { turn: turn + 1, other: other + 1 })
  return (
    <TurnPane
      title={title}
      head={
        <>
          {data?.prompt && other === undefined && (
            <Chip className="phone:hidden!">
              {t('runs.messages', { count: data.prompt.messages.length })}
            </Chip>
          )}
          <PaneFigures>
            {data &&
              other === undefined &&
              t('runs.tokens', { count: inputTokens(data.usage, tokens) })}
          </PaneFigures>
          {other !== undefined && (
            <Button look="ghost" small onClick={() => onCompare(undefined)}>
              <Icon name="x" />
              {t('runs.compare.end')}
            </Button>
          )}
          {turns.length > 1 && (
            <Picker
              align="end"
              label={t('runs.compare.find')}
              open={isChoosing}
              onOpenChange={setChoosing}
              value={other === undefined ? undefined : String(other)}
              options={comparable(turns, turn).map((each) => ({
                value: String(each),
                label: t('runs.compare.turn', { turn: number(each + 1) }),
                keywords: [String(each + 1)],
              }))}
              onChange={(next) => onCompare(Number(next))}
              trigger={
                <Button look="ghost" small>
                  {t('runs.compare')}
                </Button>
              }
            />
          )}
          {printed && <CopyButton text={printed.text} label={t('runs.prompt.copy')} />}
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          printed === undefined ? (
            <p className="text-ink-2">{t('runs.prompt.none')}</p>
          ) : other === undefined ? (
            <Suspense fallback={<div className="skeleton" />}>
              <TextEditor key={turn} value={printed.text} marks={printed.marks} label={title} />
            </Suspense>
          ) : (
            <Loaded query={before}>
              {({ prompt }) => <Difference {...{ prompt }} after={printed.text} label={title} />}
            </Loaded>
          )
        }
      </Loaded>
    </TurnPane>
  )
}

/** Estimates are marked as such. */
function inputTokens(
  { input, estimated }: RecordedTurn['usage'],
  print: (count: number) => string,
): string {
  return estimated ? `≈ ${print(input)}` : print(input)
}

/** The picker draws all its items, so only the nearest turns are offered. */
const MAX_LISTED = 200

function comparable(turns: readonly number[], turn: number): readonly number[] {
  return turns
    .filter((each) => each !== turn)
    .sort((one, other) => Math.abs(one - turn) - Math.abs(other - turn))
    .slice(0, MAX_LISTED)
    .sort((one, other) => one - other)
}

function Difference({
  prompt,
  after,
  label,
}: {
  readonly prompt: SentPrompt | undefined
  readonly after: string
  readonly label: string
}): ReactNode {
  const { t } = useWords()
  const before = useMemo(() => prompt && printPrompt(prompt).text, [prompt])
  // A line break at both ends, since the last message of one prompt may be followed by others in
  // the other one.
  if (before === undefined) return <p className="text-ink-2">{t('runs.prompt.none')}</p>
  if (before === after) return <p className="text-ink-2">{t('runs.compare.same')}</p>
  return (
    <Suspense fallback={<div className="skeleton" />}>
      <TextDiff before={`${before}\n`} after={`${after}\n`} label={label} />
    </Suspense>
  )
}

/** Prints a prompt: each message exactly as sent, below a line with its role. */
export function printPrompt({ messages, tools }: SentPrompt): PrintedPrompt {
  const marks: Mark[] = []
  let text = ''
  const add = (head: string, body: string): void => {
    if (text !== '') text += '\n\n'
    marks.push({ from: text.length, to: text.length + head.length, className: 'role' })
    text += `${head}\n${body}`
  }
  for (const { role, content, ...others } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const body = parts.map(printPart).join('\n')
    const rest = Object.entries(others).filter(([, value]) => value !== undefined)
    const more = rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
    add(role, body !== '' && more !== '' ? `${body}\n${more}` : body + more)
  }
  if (tools.length > 0) add('tools', tools.map((tool) => JSON.stringify(tool)).join('\n'))
  return { text, marks }
}

function printPart(part: { readonly type: string }): string {
  const fields = part as { readonly type: string; readonly text?: unknown }
  if (fields.type === 'text' && typeof fields.text === 'string') return fields.text
  const text = JSON.stringify(part)
  return text.length > MAX_OTHER ? `${text.slice(0, MAX_OTHER)}…` : text
}
