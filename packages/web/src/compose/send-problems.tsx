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

/** Why the message was not sent, or a file not attached, and what to do. What was written stays. */
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
    <div className="sendproblems" role="alert">
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
        <div className="problem ask">
          <Icon name="hand" />
          <span className="grow">
            <VisibleText text={t('compose.noImages', { model: shortName(model ?? '') })} />
          </span>
        </div>
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
    <div className="problem">
      <Icon name="hand" />
      <span className="grow">
        <VisibleText text={t(`compose.problem.${type}`, { name, limit: size })} />
      </span>
      <Close onClick={onClose} />
    </div>
  )
}

function Close({ onClick }: { readonly onClick: () => void }): ReactNode {
  const { t } = useWords()
  return (
    <button type="button" className="icon-btn sm" aria-label={t('shell.close')} onClick={onClick}>
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
      <div className="problem">
        <Icon name="hand" />
        <span className="grow">{t('compose.failed.network')}</span>
        <button type="button" className="btn sm" onClick={() => onRetry(unsent, false)}>
          {t('shell.retry')}
        </button>
        <Close onClick={onClose} />
      </div>
    )
  }
  if (error.code === 'run_changed') {
    const startNew = (): void => {
      // The typed text goes along.
      changeCompose(newChatKey(folder), { text, files, choices })
      onClose()
      void navigate({ to: '/chat', search: folder === undefined ? {} : { folder } })
    }
    return (
      <div className="problem ask changes">
        <Icon name="hand" />
        <div className="grow">
          <b>{t('compose.changed')}</b>
          <ul>
            {changesOf(error).map((each) => (
              <li key={each}>
                <VisibleText text={each} />
              </li>
            ))}
          </ul>
          <p>{t('compose.changed.about')}</p>
          <div className="rowline">
            <button type="button" className="btn sm" onClick={() => onRetry(unsent, true)}>
              {t('compose.changed.accept')}
            </button>
            <button type="button" className="btn sm" onClick={startNew}>
              {t('shell.newChat')}
            </button>
          </div>
        </div>
        <Close onClick={onClose} />
      </div>
    )
  }
  const { detail, action } = error
  return (
    <div className="problem">
      <Icon name="hand" />
      <span className="grow">
        <b>{t('compose.failed')}</b> <VisibleText text={detail} />{' '}
        {/* What to request is for programs. */}
        {action !== undefined && !/\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(action) && (
          <VisibleText text={action} />
        )}
      </span>
      <button type="button" className="btn sm" onClick={() => onRetry(unsent, false)}>
        {t('shell.retry')}
      </button>
      <Close onClick={onClose} />
    </div>
  )
}

function changesOf({ problem, detail }: ApiError): readonly string[] {
  const { changes } = problem
  return Array.isArray(changes) && changes.length > 0 ? changes.map(String) : [detail]
}
