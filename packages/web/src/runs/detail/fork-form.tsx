import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { PromptItem, RunView } from '@toolglot/react/view'
import { useMemo, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { errorText, useApi, useDo } from '../../app/use-api.ts'
import { Keys } from '../../app/keys.tsx'
import { filesToResend, ownText } from '../../chat/rows/own-text.ts'
import type { Choices } from '../../compose/choices.ts'
import { ModelPicker } from '../../compose/model-picker.tsx'
import type { PickerProps } from '../../compose/picker-button.tsx'
import { ProtocolPicker } from '../../compose/protocol-picker.tsx'
import { useSelected } from '../../compose/use-selected.ts'
import { useWarn } from '../../compose/use-warn.ts'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../../chat/chat-actions.ts'
import { Button } from '../../ui/button.tsx'

/** The options of a fork: another model or protocol, another message, and restored files. */
export function ForkForm({
  view,
  turn,
  messages,
  close,
}: {
  readonly view: RunView
  /** The first turn that is not copied, in the numbering of forks. */
  readonly turn: number
  /** The number of messages at the start of the fork, if known. */
  readonly messages: number | undefined
  readonly close: () => void
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const warn = useWarn()
  const { run, facts, items } = view
  const replaced = useMemo(
    () =>
      items.findLast((item): item is PromptItem => item.type === 'prompt' && item.turn === turn),
    [items, turn],
  )
  const own = useMemo(() => ownText(replaced?.text ?? ''), [replaced])
  const [words, setWords] = useState(own.words)
  const [files, setFiles] = useState<'now' | 'then'>('now')
  const [choices, setChoices] = useState<Choices>({})
  const [picker, setPicker] = useState<PickerProps['compose']['picker']>()
  const selected = useSelected(choices, facts, undefined)
  const hasChanges = useHasChangesSince(view, turn)
  const fork = useDo('POST /api/runs/:run/fork', ['GET /api/runs'])
  const pickers: PickerProps = {
    compose: { choices, picker },
    change(next) {
      if (next.choices) setChoices(next.choices)
      if ('picker' in next) setPicker(next.picker)
    },
    selected,
    facts,
    folder: undefined,
    isDisabled: fork.isPending,
  }
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (fork.isPending) return
    const prompt = words.trim()
    const isOther = prompt !== '' && prompt !== own.words
    const attachments = filesToResend(own, prompt).map(
      (file) => ({ type: 'text', ...file }) as const,
    )
    fork.mutate(
      {
        parameters: { run },
        body: {
          turn,
          restoreFiles: files === 'then' || undefined,
          model: choices.model,
          protocol: choices.protocol,
          prompt: isOther ? prompt : undefined,
          attachments: isOther && attachments.length > 0 ? attachments : undefined,
        },
      },
      {
        onSuccess({ run: copy, warnings }) {
          warn(warnings)
          close()
          void queries.invalidateQueries({ queryKey: ['GET /api/runs/:run/changes'] })
          void navigate({ to: '/chats/$run', params: { run: copy } })
        },
      },
    )
  }
  return (
    <form className="grid gap-[9px]" onSubmit={submit}>
      <b className="font-600">{t('runs.fork.from', { turn: turn + 1 })}</b>
      <p className="text-ink-2">
        {messages === undefined
          ? t('runs.fork.about')
          : t('runs.fork.about.messages', { count: messages })}
      </p>
      <div className={LINE}>
        <span className="label w-[62px] flex-none">{t('compose.model')}</span>
        <ModelPicker {...pickers} />
      </div>
      <div className={LINE}>
        <span className="label w-[62px] flex-none">{t('compose.protocol')}</span>
        <ProtocolPicker {...pickers} />
      </div>
      <div className={LINE}>
        <span className="label w-[62px] flex-none">{t('runs.fork.files')}</span>
        <Segments
          label={t('runs.fork.files')}
          value={files}
          onChange={setFiles}
          options={[
            {
              value: 'then',
              label: t('runs.fork.files.then'),
              disabled: !hasChanges,
              title: !hasChanges ? t('runs.fork.files.none') : undefined,
            },
            { value: 'now', label: t('runs.fork.files.now') },
          ]}
        />
      </div>
      <textarea
        className="input h-auto max-h-[40vh] resize-y py-[7px] font-sans text-13"
        rows={3}
        value={words}
        maxLength={1 << 20}
        autoFocus
        aria-label={t(replaced ? 'runs.fork.instead' : 'runs.fork.add')}
        placeholder={t(replaced ? 'runs.fork.instead' : 'runs.fork.add')}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
        }}
      />
      {fork.error && (
        <p className="text-no" role="alert">
          {errorText(fork.error)}
        </p>
      )}
      <div className="cluster">
        <Button type="submit" look="primary" disabled={fork.isPending}>
          {t('runs.fork.do')}
          <Keys keys="mod+Enter" />
        </Button>
        <Button look="ghost" onClick={close}>
          {t('runs.fork.cancel')}
        </Button>
      </div>
    </form>
  )
}

const LINE =
  'flex min-w-0 items-center gap-2 [&_.picker-button]:h-[30px] [&_.picker-button]:flex-1 [&_.picker-button]:border-line [&_.picker-button]:bg-panel [&_.picker-button_.truncate]:flex-1 [&_.picker-button_.truncate]:text-left'

/** True if files were changed in this turn or later, and the changes can be undone. */
function useHasChangesSince({ run, items }: RunView, turn: number): boolean {
  const { data = [] } = useApi('GET /api/runs/:run/changes', { parameters: { run } })
  const { findCall } = useChatActions()
  return useMemo(() => {
    if (turn === 0) return data.length > 0
    const before = new Set(
      items.flatMap((item) =>
        item.type === 'turn' && item.turn < turn ? item.parts.map(({ id }) => id) : [],
      ),
    )
    return data.some(({ call }) => call !== undefined && !before.has(call) && findCall(call))
  }, [data, items, turn, findCall])
}
