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
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { LONG_BANNER } from '../looks.ts'

/** The state of a call: running, waiting for the user, or its result. */
export function ResultPane({
  session: { current, shown, error },
}: {
  readonly session: Session
}): ReactNode {
  const { t } = useWords()
  return (
    <section
      className="pane phone:overflow-visible [&_.code]:border-0 [&_.code]:bg-transparent [&_.code]:p-0 [&_.code]:wrap-anywhere [&_.code]:whitespace-pre-wrap [&_div.code]:whitespace-normal"
      aria-label={t('sandbox.result')}
      aria-busy={current !== undefined}
    >
      {current ? (
        <Running current={current} />
      ) : shown ? (
        <Ended run={shown} key={shown.id} />
      ) : error ? (
        <div className="pane-content">
          <Banner kind="no" icon="hand" className={LONG_BANNER}>
            <b>{t('sandbox.result.notSent')}</b> <VisibleText text={errorText(error)} />
          </Banner>
        </div>
      ) : (
        <div className="empty px-6 pt-[18vh] pb-6 text-ink-2 phone:py-8">
          <Icon name="play" className="size-5 text-ink-3" />
          <b>{t('sandbox.result.none')}</b>
          <p className="text-ink-2">{t('sandbox.result.none.about')}</p>
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
      <div className="toolbar min-h-[47px] phone:static phone:flex-nowrap">
        {request ? (
          <StateIcon tone="ask">
            <Icon name="hand" />
          </StateIcon>
        ) : (
          <Spinner />
        )}
        <b className="font-580" role="status">
          {request ? t('sandbox.status.waiting') : t('sandbox.status.running')}
        </b>
        <span className="min-w-0 truncate font-mono text-ink-2">
          <VisibleText text={tool} />
        </span>
        {!request && (
          <span className="text-ink-2">
            <Elapsed since={since} />
          </span>
        )}
        <span className="min-w-0 flex-1" />
        <Button small onClick={stop}>
          <Icon name="stop" />
          {t('shell.stop')}
        </Button>
      </div>
      <div className="pane-content">
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
      <div className="toolbar min-h-[47px] phone:static phone:flex-nowrap">
        <StateIcon tone={tone}>
          <Icon name={icon} />
        </StateIcon>
        <b className="font-580" role="status">
          {t(`sandbox.status.${status}`)}
        </b>
        <span className="text-ink-2 tabular-nums" title={t('sandbox.duration.about')}>
          {duration(run.duration)}
        </span>
        {exitCode !== null && (
          <Chip tone={exitCode === 0 ? 'ok' : 'no'} className="tabular-nums">
            {t('chat.exit', { code: String(exitCode) })}
          </Chip>
        )}
        {errorType !== undefined && (
          <Chip tone="no" mono>
            {errorType}
          </Chip>
        )}
        <span className="min-w-0 flex-1" />
        <span className="min-w-0 truncate font-mono text-ink-2">
          <VisibleText text={tool} />
        </span>
      </div>
      <div className="pane-content">
        {text === '' && status === 'stopped' ? (
          <p className="text-ink-2">{t('sandbox.stopped.about')}</p>
        ) : (
          <ResultForms
            id={`${tool.replaceAll(/[^\w-]/g, '_')}-${run.id.slice(-6)}`}
            outcome={{ text }}
          />
        )}
        {cut > 0 && <p className="text-ink-2">{t('sandbox.cut', { kept, total: kept + cut })}</p>}
      </div>
    </>
  )
}
