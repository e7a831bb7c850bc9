import type { ReactNode } from 'react'
import { TrustWords } from '../folders/trust-words.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Key, useWords } from '../words/words.ts'
import { type ModelList, shortName } from './choices.ts'
import type { Selected } from './use-selected.ts'
import { Button } from '../ui/button.tsx'
import { ProblemLine } from './problem-line.tsx'

const EXAMPLES = [
  'compose.example.folder',
  'compose.example.recent',
  'compose.example.todo',
] as const

/** The selected model, and examples. */
export function ReadyModel({
  models: { choice },
  selected: { model = '', found, protocol, auto },
  send,
  isBusy,
  onAgree,
}: {
  readonly models: ModelList
  readonly selected: Selected
  readonly send: (text: string) => void
  readonly isBusy: boolean
  readonly onAgree: (model: string) => void
}): ReactNode {
  const { t } = useWords()
  const { path, trust } = useFolder()
  const isStandard = model === choice.reference
  const costs = isStandard ? choice.costs : undefined
  const written = protocol === 'auto' ? auto?.protocol : protocol
  return (
    <>
      <h2 className="text-18 font-600 wrap-anywhere">
        <VisibleText
          text={t(isStandard || found ? 'compose.ready' : 'compose.ready.not', {
            model: shortName(model),
          })}
        />
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5 gap-y-[5px] text-left phone:grid-cols-1 phone:gap-0.5">
        <dt className="text-ink-3">{t('compose.model')}</dt>
        <dd className="wrap-anywhere phone:mb-1.5">
          <code className="mr-2 text-12">
            <VisibleText text={model} />
          </code>
          <span className="text-ink-2">
            <VisibleText
              text={
                isStandard
                  ? choice.why
                  : t(found ? 'compose.ready.chosen' : 'compose.ready.notFound')
              }
            />
          </span>
        </dd>
        <dt className="text-ink-3">{t('compose.protocol')}</dt>
        <dd className="wrap-anywhere phone:mb-1.5">
          {written !== undefined && (
            <code className="mr-2 text-12">
              <VisibleText text={written} />
            </code>
          )}
          <span className="text-ink-2">
            {t(
              protocol !== 'auto'
                ? 'compose.ready.chosen'
                : auto === undefined
                  ? 'compose.protocol.auto.unknown'
                  : `compose.ready.${auto.by}`,
            )}
          </span>
        </dd>
        {path !== undefined && (
          <>
            <dt className="text-ink-3">{t('compose.ready.folder')}</dt>
            <dd className="wrap-anywhere phone:mb-1.5">
              <code className="mr-2 text-12">
                <VisibleText text={path} />
              </code>
              {trust && (
                <span className="inline-flex items-center gap-1.5 text-ink-2">
                  <TrustWords trust={trust} isLong />
                </span>
              )}
            </dd>
          </>
        )}
      </dl>
      {costs ? (
        <ProblemLine tone="ask">
          <span className="min-w-0 flex-1">{t('compose.costs', { name: costs.name })}</span>
          <Button small className="flex-none text-ink" onClick={() => onAgree(model)}>
            {t('compose.costs.agree', { name: costs.name })}
          </Button>
        </ProblemLine>
      ) : (
        <div
          className="flex flex-wrap justify-center gap-2"
          role="group"
          aria-label={t('compose.examples')}
        >
          <ExampleButtons keys={EXAMPLES} {...{ send, isBusy }} />
        </div>
      )}
    </>
  )
}

/** Buttons that send an example as the first message. */
export function ExampleButtons({
  keys,
  send,
  isBusy,
}: {
  readonly keys: readonly Key[]
  readonly send: (text: string) => void
  readonly isBusy: boolean
}): ReactNode {
  const { t } = useWords()
  return keys.map((key) => (
    <Button
      key={key}
      className="h-auto min-h-8 whitespace-normal"
      disabled={isBusy}
      onClick={() => send(t(key))}
    >
      {t(key)}
    </Button>
  ))
}
