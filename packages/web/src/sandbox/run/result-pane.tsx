import type { ReactNode } from 'react'
import { errorText } from '../../app/use-api.ts'
import { AskCard } from '../../approvals/ask-card.tsx'
import { partOf } from '../../approvals/pending-part.ts'
import { useShownHere } from '../../approvals/shown-here.ts'
import { ResultForms } from '../../chat/calls/call-result.tsx'
import { Elapsed } from '../../chat/calls/elapsed.tsx'
import { useFormat } from '../../chat/format.ts'
import { Banner } from '../../ui/banner.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { PastRun } from '../history/history.ts'
import { STATUS_LOOK } from './execute.ts'
import type { CurrentRun, Session } from './session.ts'

/** The state of a call: running, waiting for the person, or its result. */
export function ResultPane({
  session: { current, shown, error },
}: {
  readonly session: Session
}): ReactNode {
  const { t } = useWords()
  return (
    <section
      className="pane result"
      aria-label={t('sandbox.result')}
      aria-busy={current !== undefined}
    >
      {current ? (
        <Running current={current} />
      ) : shown ? (
        <Ended run={shown} key={shown.id} />
      ) : error ? (
        <div className="pad">
          <Banner kind="no" icon="hand">
            <b>{t('sandbox.result.notSent')}</b> <VisibleText text={errorText(error)} />
          </Banner>
        </div>
      ) : (
        <div className="empty nothing">
          <Icon name="play" />
          <b>{t('sandbox.result.none')}</b>
          <p className="dim">{t('sandbox.result.none.about')}</p>
        </div>
      )}
    </section>
  )
}

function Running({ current }: { readonly current: CurrentRun }): ReactNode {
  const { t } = useWords()
  const { execution, request, since, stop, tool } = current
  useShownHere(execution)
  return (
    <>
      <div className="bar">
        {request ? (
          <span className="st ask">
            <Icon name="hand" />
          </span>
        ) : (
          <span className="spin" />
        )}
        <b role="status">{request ? t('sandbox.status.waiting') : t('sandbox.status.running')}</b>
        <span className="dim mono cut">
          <VisibleText text={tool} />
        </span>
        {!request && (
          <span className="dim">
            <Elapsed since={since} />
          </span>
        )}
        <span className="grow" />
        <button type="button" className="btn sm" onClick={stop}>
          <Icon name="stop" />
          {t('shell.stop')}
        </button>
      </div>
      <div className="pad">
        {request && <AskCard run={request.run} part={partOf(request)} position={1} count={1} />}
      </div>
    </>
  )
}

function Ended({ run }: { readonly run: PastRun }): ReactNode {
  const { t } = useWords()
  const { duration } = useFormat()
  const { status, errorType, exitCode, text, cut, tool } = run
  const { tone, icon } = STATUS_LOOK[status]
  const kept = text.length
  return (
    <>
      <div className="bar">
        <span className={`st ${tone}`}>
          <Icon name={icon} />
        </span>
        <b role="status">{t(`sandbox.status.${status}`)}</b>
        <span className="dim num" title={t('sandbox.duration.about')}>
          {duration(run.duration)}
        </span>
        {exitCode !== null && (
          <span className={`chip num ${exitCode === 0 ? 'ok' : 'no'}`}>
            {t('chat.exit', { code: String(exitCode) })}
          </span>
        )}
        {errorType !== undefined && <span className="chip mono no">{errorType}</span>}
        <span className="grow" />
        <span className="dim mono cut">
          <VisibleText text={tool} />
        </span>
      </div>
      <div className="pad">
        {text === '' && status === 'stopped' ? (
          <p className="dim">{t('sandbox.stopped.about')}</p>
        ) : (
          <ResultForms
            id={`${tool.replaceAll(/[^\w-]/g, '_')}-${run.id.slice(-6)}`}
            outcome={{ text }}
          />
        )}
        {cut > 0 && <p className="dim">{t('sandbox.cut', { kept, total: kept + cut })}</p>}
      </div>
    </>
  )
}
