import type { ReactNode } from 'react'
import { TrustWords } from '../folders/trust-words.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Key, useWords } from '../words/words.ts'
import { type ModelList, shortName } from './choices.ts'
import type { Selected } from './use-selected.ts'

const EXAMPLES = [
  'compose.example.folder',
  'compose.example.recent',
  'compose.example.todo',
] as const

/** The model that is ready, and examples. */
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
      <h2>
        <VisibleText
          text={t(isStandard || found ? 'compose.ready' : 'compose.ready.not', {
            model: shortName(model),
          })}
        />
      </h2>
      <dl className="ready">
        <dt>{t('compose.model')}</dt>
        <dd>
          <code>
            <VisibleText text={model} />
          </code>
          <span className="dim">
            <VisibleText
              text={
                isStandard
                  ? choice.why
                  : t(found ? 'compose.ready.chosen' : 'compose.ready.notFound')
              }
            />
          </span>
        </dd>
        <dt>{t('compose.protocol')}</dt>
        <dd>
          {written !== undefined && (
            <code>
              <VisibleText text={written} />
            </code>
          )}
          <span className="dim">
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
            <dt>{t('compose.ready.folder')}</dt>
            <dd>
              <code>
                <VisibleText text={path} />
              </code>
              {trust && (
                <span className="dim inline-flex items-center gap-1.5">
                  <TrustWords trust={trust} isLong />
                </span>
              )}
            </dd>
          </>
        )}
      </dl>
      {costs ? (
        <div className="problem ask">
          <Icon name="hand" />
          <span className="grow">{t('compose.costs', { name: costs.name })}</span>
          <button type="button" className="btn sm" onClick={() => onAgree(model)}>
            {t('compose.costs.agree', { name: costs.name })}
          </button>
        </div>
      ) : (
        <div className="examples" role="group" aria-label={t('compose.examples')}>
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
    <button key={key} type="button" className="btn" disabled={isBusy} onClick={() => send(t(key))}>
      {t(key)}
    </button>
  ))
}
