import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Item, ShownRepair } from '../worker/item.ts'
import { CallProblems } from './call-problems.tsx'
import { Shortened } from './shortened.tsx'

/** What core calls the protocol of a call in none. */
const UNTRAINED = 'untrained'

/** A call: its arguments, what was repaired, and what makes it less trustworthy. */
export function CallFacts({
  item: { name: tool, args, argsLeft, isComplete, facts, problems, repairs, reason, protocol },
}: {
  readonly item: Extract<Item, { kind: 'call' }>
}): ReactNode {
  const { t } = useWords()
  return (
    <>
      {(!isComplete || facts.length > 0) && (
        <div className="call-facts">
          {!isComplete && <span className="chip no">{t('parser.fact.incomplete')}</span>}
          {facts.map((fact) => (
            <span key={fact} className={`chip ${fact === 'afterResult' ? 'fake' : 'ask'}`}>
              {fact === 'otherProtocol' && protocol === UNTRAINED
                ? t('parser.fact.free')
                : t(`parser.fact.${fact}`, { protocol: spellUnseen(protocol) })}
            </span>
          ))}
        </div>
      )}
      <CallProblems tool={tool} problems={problems} />
      {reason !== undefined && (
        <p className="dim">
          <VisibleText text={reason} />
        </p>
      )}
      {args.length > 0 && (
        <dl className="kv">
          {args.map(({ name, value }, at) => (
            <div key={at}>
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <Shortened {...value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {argsLeft > 0 && <p className="dim">{t('parser.args.more', { count: argsLeft })}</p>}
      {repairs.length > 0 && (
        <ul className="fixes">
          {repairs.map((repair, at) => (
            <Repair key={at} {...repair} />
          ))}
        </ul>
      )}
    </>
  )
}

function Repair({ name, places, left }: ShownRepair): ReactNode {
  const { t } = useWords()
  return (
    <li>
      <span className="chip ask">{name}</span>
      <span className="from">
        {places.map(({ was, became }, at) => (
          <span key={at}>
            {was.text === '' ? (
              <span className="dim-2">{t('parser.repair.added')}</span>
            ) : (
              <del>
                <Shortened {...was} />
              </del>
            )}
            {' → '}
            {became.text === '' ? (
              <span className="dim-2">{t('parser.repair.removed')}</span>
            ) : (
              <ins>
                <Shortened {...became} />
              </ins>
            )}
          </span>
        ))}
        {left > 0 && <small>{t('parser.repair.more', { count: left })}</small>}
      </span>
    </li>
  )
}
