import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Chat } from '@toolglot/react'
import { type ReactNode, useEffect, useState, useEffectEvent } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { composeKey, useCompose } from './compose-store.ts'
import {
  LIMIT_REASONS,
  type RunStatus as Status,
  runStatusOf,
  statusWords,
} from './run-status-of.ts'
import { useRunRecord } from './use-run-record.ts'
import { useSend } from './use-send.ts'
import type { RunView } from '@toolglot/react/view'
import { useToast } from '../ui/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { StatusLine, type StatusTone } from './status-line.tsx'

/**
 * Below the conversation: why the run does not continue, and the available actions. The run may
 * have reached a limit, been interrupted, or have a call with an unknown outcome, or the model
 * failed or changed.
 */
export function RunStatus({ chat }: { readonly chat: Chat }): ReactNode {
  const queries = useQueryClient()
  const record = useRunRecord(chat)
  const view = chat.run?.view
  const status = view && runStatusOf(view, record)
  const { resume } = useSend(chat, undefined)
  // The server's record changes with the state of the run (which the shell watches), with a new
  // end, and after a restart.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['GET /api/runs/:run'] })
  }, [queries, view?.end?.id, chat.run?.connection])
  useLimitToast(view, status, () => resume(status?.limits))
  if (!view || !status) return null
  return (
    <Line
      // A new end resets the question.
      key={`${view.run} ${view.end?.id}`}
      chat={chat}
      status={status}
      onContinue={() => resume(status.limits)}
    />
  )
}

function Line({
  chat,
  status,
  onContinue,
}: {
  readonly chat: Chat
  readonly status: Status
  readonly onContinue: () => void
}): ReactNode {
  const words = useWords()
  const { t } = words
  const navigate = useNavigate()
  const [compose, change] = useCompose(composeKey(chat, undefined))
  const [isAsking, setAsking] = useState(false)
  const { reason, detail, actions, unknownOutcomes } = status
  const { search } = useFolder()
  const { title, text, resume } = statusWords(status, words)
  const goOn = (
    <Button
      small
      disabled={compose.isSending}
      onClick={() => {
        // The user should check these calls first.
        if (unknownOutcomes.length > 0 && !isAsking) return setAsking(true)
        setAsking(false)
        onContinue()
      }}
    >
      {compose.isSending ? <Spinner /> : <Icon name={RETRY.has(reason) ? 'redo' : 'play'} />}
      {isAsking ? t('compose.status.anyway') : resume}
    </Button>
  )
  return (
    <StatusLine
      tone={TONES[reason]}
      icon={ICONS[reason] ?? 'hand'}
      role="status"
      isLong={unknownOutcomes.length > 0}
      actions={
        isAsking ? (
          <>
            {goOn}
            <Button look="ghost" small onClick={() => setAsking(false)}>
              {t('compose.status.notYet')}
            </Button>
          </>
        ) : (
          actions.map((action) => {
            if (action === 'continue') return <span key={action}>{goOn}</span>
            if (action === 'limits')
              return (
                <Link
                  key={action}
                  className="button button-small button-ghost"
                  to="/settings/{-$page}"
                  params={{ page: 'limits' }}
                  search={search}
                >
                  {t('compose.status.limits')}
                </Link>
              )
            if (action === 'new')
              return (
                <Button key={action} small onClick={() => void navigate({ to: '/chat', search })}>
                  {t('shell.newChat')}
                </Button>
              )
            return (
              <Button key={action} look="ghost" small onClick={() => change({ picker: action })}>
                {t(`compose.status.${action}`)}
              </Button>
            )
          })
        )
      }
    >
      <b>{title}</b> {detail !== undefined && <VisibleText text={detail} />} {text}
      {unknownOutcomes.length > 0 && (
        <div className="mt-1 text-ask">
          <b>{t('compose.status.unknown', { count: unknownOutcomes.length })}</b>{' '}
          {unknownOutcomes.map(({ id, name }) => (
            <Chip outline mono className="text-inherit" key={id}>
              <VisibleText text={name} />
            </Chip>
          ))}{' '}
          {t('compose.status.unknown.text')}
        </div>
      )}
    </StatusLine>
  )
}

const RETRY: ReadonlySet<Status['reason']> = new Set(['model_error', 'storage'])
const TONES: Partial<Record<Status['reason'], StatusTone>> = {
  model_error: 'no',
  storage: 'no',
  corrupt: 'no',
  context_overflow: 'no',
  cancelled: 'quiet',
  denied: 'quiet',
  imported: 'quiet',
  elsewhere: 'quiet',
}
const ICONS: Partial<Record<Status['reason'], IconName>> = {
  ...Object.fromEntries([...LIMIT_REASONS].map((reason) => [reason, 'clock' as const])),
  cancelled: 'stop',
  denied: 'slash',
  imported: 'export',
  elsewhere: 'plug',
  interrupted: 'pause',
}

/** The display time of the notice, in milliseconds. The line above the composer stays longer. */
const DURATION = 30_000

/** Shows a notice once if a run has reached a limit while the page was open. */
function useLimitToast(
  view: RunView | undefined,
  status: Status | undefined,
  onContinue: () => void,
): void {
  const words = useWords()
  const show = useToast()
  const navigate = useNavigate()
  const { search } = useFolder()
  const isLimit = status !== undefined && LIMIT_REASONS.has(status.reason)
  const last = view?.items.findLast((item) => item.type === 'turn')
  const isNew = last?.type === 'turn' && last.started >= performance.timeOrigin
  const id = isLimit && isNew ? `${view?.run} ${view?.end?.id}` : undefined
  const tell = useEffectEvent((): (() => void) | undefined => {
    if (!status) return undefined
    const { title, text, resume } = statusWords(status, words)
    return show({
      title,
      text,
      kind: 'ask',
      duration: DURATION,
      actions: [
        // The user should first check the calls that the line lists.
        ...(status.unknownOutcomes.length > 0 ? [] : [{ label: resume, run: onContinue }]),
        {
          label: words.t('compose.status.limits'),
          run: () =>
            void navigate({ to: '/settings/{-$page}', params: { page: 'limits' }, search }),
        },
      ],
    })
  })
  // Removed together with the state it describes.
  useEffect(() => (id === undefined ? undefined : tell()), [id])
}
