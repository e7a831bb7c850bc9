import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@toolglot/server/client'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { AttachProblem } from './attachments.ts'
import {
  changeCompose,
  type ChangeCompose,
  type Compose,
  newChatKey,
  type SendFailure,
} from './compose-store.ts'
import { shortName } from './choices.ts'
import type { Sending } from './use-send.ts'
import { Button } from '../ui/button.tsx'
import { ProblemLine } from './problem-line.tsx'

/** Why the message was not sent or a file not attached, with actions. The typed text is kept. */
export function SendProblems({
  compose,
  change,
  folder,
  takesNoImages,
  model,
  onRetry,
}: {
  readonly compose: Compose
  readonly change: ChangeCompose
  readonly folder: string | undefined
  readonly takesNoImages: boolean
  readonly model: string | undefined
  readonly onRetry: Sending['retry']
}): ReactNode {
  const { t } = useWords()
  const { failure, problems } = compose
  if (!failure && problems.length === 0 && !takesNoImages) return null
  return (
    <div className="grid max-h-[40vh] gap-1 overflow-auto px-1.5 pt-1.5" role="alert">
      {failure && (
        <Failure
          {...{ failure, compose, folder, onRetry }}
          onClose={() => change({ failure: undefined })}
        />
      )}
      {problems.map((problem, at) => (
        <Problem
          key={at}
          problem={problem}
          onClose={() => change({ problems: problems.filter((each) => each !== problem) })}
        />
      ))}
      {takesNoImages && (
        <ProblemLine tone="ask">
          <span className="min-w-0 flex-1">
            <VisibleText text={t('compose.noImages', { model: shortName(model ?? '') })} />
          </span>
        </ProblemLine>
      )}
    </div>
  )
}

function Problem({
  problem: { type, name, limit },
  onClose,
}: {
  readonly problem: AttachProblem
  readonly onClose: () => void
}): ReactNode {
  const { t, number } = useWords()
  const isBytes = type === 'image' || type === 'total'
  const size = isBytes
    ? number(limit / (1 << 20), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
    : number(limit)
  return (
    <ProblemLine>
      <span className="min-w-0 flex-1">
        <VisibleText text={t(`compose.problem.${type}`, { name, limit: size })} />
      </span>
      <Close onClick={onClose} />
    </ProblemLine>
  )
}

function Close({ onClick }: { readonly onClick: () => void }): ReactNode {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="icon-button icon-button-small text-inherit"
      aria-label={t('shell.close')}
      onClick={onClick}
    >
      <Icon name="x" />
    </button>
  )
}

function Failure({
  failure: { error, unsent },
  compose: { text, files, choices },
  folder,
  onRetry,
  onClose,
}: {
  readonly failure: SendFailure
  readonly compose: Compose
  readonly folder: string | undefined
  readonly onRetry: Sending['retry']
  readonly onClose: () => void
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  if (!(error instanceof ApiError)) {
    return (
      <ProblemLine>
        <span className="min-w-0 flex-1">{t('compose.failed.network')}</span>
        <Button small className="flex-none text-ink" onClick={() => onRetry(unsent, false)}>
          {t('shell.retry')}
        </Button>
        <Close onClick={onClose} />
      </ProblemLine>
    )
  }
  if (error.code === 'run_changed') {
    const startNew = (): void => {
      // Takes the typed text to the new chat.
      changeCompose(newChatKey(folder), { text, files, choices })
      onClose()
      void navigate({ to: '/chat', search: folder === undefined ? {} : { folder } })
    }
    return (
      <ProblemLine tone="ask">
        <div className="min-w-0 flex-1">
          <b className="font-580">{t('compose.changed')}</b>
          <ul className="my-0.5 list-disc pl-[18px]">
            {changesOf(error).map((each) => (
              <li key={each}>
                <VisibleText text={each} />
              </li>
            ))}
          </ul>
          <p>{t('compose.changed.about')}</p>
          <div className="cluster mt-1.5 mb-[3px]">
            <Button small className="text-ink" onClick={() => onRetry(unsent, true)}>
              {t('compose.changed.accept')}
            </Button>
            <Button small className="text-ink" onClick={startNew}>
              {t('shell.newChat')}
            </Button>
          </div>
        </div>
        <Close onClick={onClose} />
      </ProblemLine>
    )
  }
  const { detail, action } = error
  return (
    <ProblemLine>
      <span className="min-w-0 flex-1">
        <b className="font-580">{t('compose.failed')}</b> <VisibleText text={detail} />{' '}
        {/* Leaves out advice about HTTP requests, which is for programs. */}
        {action !== undefined && !/\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(action) && (
          <VisibleText text={action} />
        )}
      </span>
      <Button small className="flex-none text-ink" onClick={() => onRetry(unsent, false)}>
        {t('shell.retry')}
      </Button>
      <Close onClick={onClose} />
    </ProblemLine>
  )
}

function changesOf({ problem, detail }: ApiError): readonly string[] {
  const { changes } = problem
  return Array.isArray(changes) && changes.length > 0 ? changes.map(String) : [detail]
}
