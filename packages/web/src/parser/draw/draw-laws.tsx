import type { LawReport } from '@toolglot/core/check'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords, type Key } from '../../words/words.ts'
import type { CheckedPicture } from './check-picture.ts'

/** The page's texts for the laws of core, by name. Other laws are shown by name. */
const LAW_WORDS: ReadonlyMap<string, Key> = new Map([
  ['its examples are read as stated', 'draw.law.examples'],
  ['they are read the same way among all other protocols', 'draw.law.among'],
  ['any chunking gives the same reply', 'draw.law.chunks'],
  ['nothing is lost', 'draw.law.lost'],
  ['a cut invents nothing', 'draw.law.cut'],
  ['what is printed is read back', 'draw.law.printed'],
  ['an example is what printing writes, or a variant', 'draw.law.variant'],
  ['its prompt names the tools', 'draw.law.prompt'],
  ['four times the text takes four times the work', 'draw.law.linear'],
  ['a result contains no call, ends once, and can be restored', 'draw.law.inert'],
  ['a value may contain its marks', 'draw.law.marks'],
])

/** The laws that a drawn protocol satisfies, and counterexamples for the others. */
export function DrawLaws({
  result,
  isStopped,
  isChecking,
}: {
  readonly result: CheckedPicture | undefined
  readonly isStopped: boolean
  readonly isChecking: boolean
}): ReactNode {
  const { t } = useWords()
  const laws = result?.laws ?? []
  return (
    <section aria-label={t('draw.laws')}>
      <div className="flex items-baseline gap-2">
        <h3 className="label">{t('draw.laws')}</h3>
        {laws.length > 0 && (
          <span className="text-ink-3">
            {t('draw.laws.examples', { count: result!.examples.length })}
          </span>
        )}
      </div>
      {isStopped && <DrawNote icon="clock">{t('draw.laws.stopped')}</DrawNote>}
      {laws.length === 0 && !isStopped && (
        <p className="text-ink-2">{t(isChecking ? 'draw.checking' : 'draw.laws.none')}</p>
      )}
      <ul className="grid gap-0.5 aria-busy:opacity-60" aria-busy={isChecking}>
        {laws.map((report) => (
          <Law key={report.law} {...{ report }} />
        ))}
      </ul>
    </section>
  )
}

/** A note about a drawn protocol. */
export function DrawNote({
  icon,
  children,
}: {
  readonly icon: IconName
  readonly children: ReactNode
}): ReactNode {
  return (
    <p className="flex gap-2 rounded-md bg-ask-bg px-2.5 py-2 wrap-anywhere text-ask">
      <Icon name={icon} className="mt-0.5 flex-none" />
      {children}
    </p>
  )
}

const ICONS = { kept: 'text-ok', broken: 'text-no', advice: 'text-ask' } as const

function Law({ report }: { readonly report: LawReport }): ReactNode {
  const { t } = useWords()
  const { law, advice, failures, tried } = report
  const state = failures.length === 0 ? 'kept' : advice ? 'advice' : 'broken'
  const key = LAW_WORDS.get(law)
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 py-0.5">
      <Icon
        name={state === 'kept' ? 'check' : state === 'advice' ? 'hand' : 'x'}
        className={`size-[13px] flex-none self-center ${ICONS[state]}`}
      />
      <span className="sr-only">{t(`draw.law.${state}`)}: </span>
      <span className="min-w-[60%] flex-[1_1_0]">{key ? t(key) : law}</span>
      <span className="text-12 whitespace-nowrap text-ink-3 tabular-nums">
        {t('draw.law.tried', { count: tried })}
      </span>
      {failures.slice(0, 2).map(({ on, problem }) => (
        <div
          key={`${on} ${problem}`}
          className={`my-0.5 grid flex-[1_0_100%] gap-[3px] rounded-md px-2.5 py-1.5 text-12 wrap-anywhere ${advice ? 'bg-ask-bg text-ask' : 'bg-no-bg text-no'}`}
        >
          <VisibleText text={problem} />
          {on !== '' && (
            <code className="whitespace-pre-wrap text-ink-2" title={t('draw.law.on')}>
              <VisibleText text={on} />
            </code>
          )}
        </div>
      ))}
    </li>
  )
}
