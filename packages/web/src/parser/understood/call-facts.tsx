import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords, type Translate } from '../../words/words.ts'
import type { Item, ShownRepair, CallProblem } from '../worker/item.ts'
import { Shortened } from './place-text.tsx'
import { faultText } from '../../sandbox/form/faults.ts'
import { Chip } from '../../ui/chip.tsx'

/** Core's name for a call outside any protocol. */
const UNTRAINED = 'untrained'

/** A call: its arguments, its repairs, and other cautions. */
export function CallFacts({
  item: { name: tool, args, argsLeft, isComplete, facts, problems, repairs, reason, protocol },
}: {
  readonly item: Extract<Item, { kind: 'call' }>
}): ReactNode {
  const { t } = useWords()
  return (
    <>
      {(!isComplete || facts.length > 0) && (
        <div className="flex flex-wrap gap-1">
          {!isComplete && <Chip tone="no">{t('parser.fact.incomplete')}</Chip>}
          {facts.map((fact) => (
            <Chip key={fact} tone={fact === 'afterResult' ? 'fake' : 'ask'}>
              {fact === 'otherProtocol' && protocol === UNTRAINED
                ? t('parser.fact.free')
                : t(`parser.fact.${fact}`, { protocol: spellUnseen(protocol) })}
            </Chip>
          ))}
        </div>
      )}
      <CallProblems tool={tool} problems={problems} />
      {reason !== undefined && (
        <p className="text-ink-2">
          <VisibleText text={reason} />
        </p>
      )}
      {args.length > 0 && (
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-code text-12">
          {args.map(({ name, value }, at) => (
            <div key={at} className="contents">
              <dt className="text-ink-3">
                <VisibleText text={name} />
              </dt>
              <dd className="wrap-anywhere">
                <Shortened {...value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {argsLeft > 0 && <p className="text-ink-2">{t('parser.args.more', { count: argsLeft })}</p>}
      {repairs.length > 0 && (
        <ul className="grid gap-[3px] text-12">
          {repairs.map((repair, at) => (
            <Repair key={at} {...repair} />
          ))}
        </ul>
      )}
    </>
  )
}

const CHANGE = 'rounded-[2px] px-0.5 whitespace-pre-wrap no-underline'

function Repair({ name, places, left }: ShownRepair): ReactNode {
  const { t } = useWords()
  return (
    <li className="grid grid-cols-[112px_minmax(0,1fr)] items-start gap-2">
      <Chip tone="ask" className="justify-self-start">
        {name}
      </Chip>
      <span className="font-code text-[11.5px] wrap-anywhere *:block">
        {places.map(({ was, became }, at) => (
          <span key={at}>
            {was.text === '' ? (
              <span className="text-ink-3">{t('parser.repair.added')}</span>
            ) : (
              <del className={`${CHANGE} bg-no-bg text-no`}>
                <Shortened {...was} />
              </del>
            )}
            {' → '}
            {became.text === '' ? (
              <span className="text-ink-3">{t('parser.repair.removed')}</span>
            ) : (
              <ins className={`${CHANGE} bg-ok-bg text-ok`}>
                <Shortened {...became} />
              </ins>
            )}
          </span>
        ))}
        {left > 0 && (
          <small className="font-sans text-ink-3">{t('parser.repair.more', { count: left })}</small>
        )}
      </span>
    </li>
  )
}

/** The reasons why a call would fail, one per line. */
function CallProblems({
  tool,
  problems,
}: {
  readonly tool: string
  readonly problems: readonly CallProblem[]
}): ReactNode {
  const { t } = useWords()
  if (problems.length === 0) return null
  return (
    <ul className="grid gap-[3px] text-12 wrap-anywhere" aria-label={t('parser.problems')}>
      {problems.map((problem, at) => (
        <li
          key={at}
          className={`rounded-sm px-[7px] py-[3px] ${problem.type === 'unknown-argument' ? 'bg-ask-bg text-ask' : 'bg-no-bg text-no'}`}
        >
          {textOf(problem, spellUnseen(tool), t)}
        </li>
      ))}
    </ul>
  )
}

function textOf(problem: CallProblem, tool: string, t: Translate): string {
  switch (problem.type) {
    case 'unknown-tool':
    case 'unknown-argument': {
      const argument = 'argument' in problem ? spellUnseen(problem.argument) : ''
      const said = t(
        problem.type === 'unknown-tool' ? 'parser.problem.tool' : 'parser.problem.key',
        { tool, argument },
      )
      const { similar } = problem
      if (similar === undefined) return said
      return `${said} ${t('parser.problem.similar', { name: spellUnseen(similar) })}`
    }
    case 'argument': {
      const argument = spellUnseen(problem.argument)
      if (problem.fault.type === 'required') return t('parser.problem.missing', { argument })
      return t('parser.problem.argument', {
        argument,
        fault: faultText(problem.fault, t),
        got: spellUnseen(problem.got ?? ''),
      })
    }
    case 'mistyped':
      return t('parser.problem.mistyped', { got: spellUnseen(problem.got) })
  }
}
