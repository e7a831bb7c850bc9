import type { RuleSuggestion } from '@toolglot/permissions'
import { Fragment, type MouseEvent, type ReactNode, useId } from 'react'
import { useDialog } from '../app/dialogs.tsx'
import type { SelectedFolder } from '../folders/use-folder.ts'
import { LongText } from '../ui/long-text.tsx'
import { Segments } from '../ui/segments.tsx'
import { UNSEEN_IN_LINE } from '../ui/unseen.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { Scope } from './ask-state.ts'
import { Filled, SLOT } from './filled.tsx'
import { reasonSentence } from './reasons.ts'
import { ShellText } from './shell-text.tsx'

/** The rules that "always" would add, and where; and for what there is none. */
export function AlwaysPanel({
  id,
  suggestions,
  scopes,
  scope,
  onScope,
  onAllow,
  isBusy,
  isReady,
  folder: { path, offer, trust } = {},
}: {
  readonly id: string
  readonly suggestions: readonly RuleSuggestion[]
  readonly scopes: readonly Scope[]
  readonly scope: Scope
  readonly onScope: (scope: Scope) => void
  readonly onAllow: (press: MouseEvent) => void
  readonly isBusy: boolean
  /** Whether something can be allowed now. */
  readonly isReady: boolean
  /** The folder of the call, if it is known. */
  readonly folder: Partial<Pick<SelectedFolder, 'path' | 'offer' | 'trust'>> | undefined
}): ReactNode {
  const { t } = useWords()
  const about = useId()
  const rules = [...new Set(suggestions.flatMap((each) => ('rule' in each ? [each.rule] : [])))]
  /** The parts without a rule, by the reason. */
  const without = new Map<string, string[]>()
  for (const each of suggestions) {
    if (!('reason' in each)) continue
    const reason = reasonSentence(each.reason, t)
    without.set(reason, [...new Set([...(without.get(reason) ?? []), each.what])])
  }
  const count = rules.length
  const title = t('approvals.always.title', { count })
  /** Rules in a folder that is not trusted do not count. */
  const isUntrusted = offer !== undefined && offer.trust !== 'trusted'
  const openDialog = useDialog()
  /** It is about the call as a whole. */
  const isOneReason = count === 0 && without.size === 1
  return (
    <div id={id} className="card always">
      <div className="rowline">
        <b>{title}</b>
        <span className="grow" />
        {count > 0 && (
          <Segments
            value={scope}
            onChange={onScope}
            label={t('approvals.always.where')}
            options={scopes.map((value) => ({
              value,
              label: t(`approvals.always.${value}`),
              disabled: value === 'folder' && isUntrusted,
            }))}
          />
        )}
      </div>
      {count > 0 && (
        <>
          {/* It may scroll, so it must be reachable by key. */}
          <div className="rulebox" tabIndex={0} role="region" aria-label={title}>
            <ul className="rules">
              {rules.map((rule) => (
                <li key={rule} className="rule">
                  <i className="dot ok" />
                  <div>
                    <LongText text={rule} unseen={UNSEEN_IN_LINE}>
                      {(shown) => <ShellText text={shown} unseen={UNSEEN_IN_LINE} />}
                    </LongText>
                  </div>
                </li>
              ))}
            </ul>
          </div>
          <p className="dim" id={about}>
            {t(`approvals.always.${scope}.about`)}
          </p>
          {isUntrusted && path !== undefined && scopes.includes('folder') && (
            <p className="dim rowline">
              {t('approvals.always.untrusted')}
              {trust !== 'nothing' && (
                <button
                  type="button"
                  className="btn sm"
                  onClick={() => openDialog({ type: 'trust', folder: path })}
                >
                  {t('shell.review')}
                </button>
              )}
            </p>
          )}
        </>
      )}
      {without.size > 0 && (
        <div className="dim">
          {[...without].slice(0, MAX_WITHOUT).map(([reason, whats]) => (
            <p key={reason}>
              {isOneReason ? (
                <VisibleText text={reason} />
              ) : (
                <Filled
                  text={t('approvals.always.without', { what: SLOT, reason: SLOT })}
                  slots={[
                    <Names key="what" names={whats} />,
                    <VisibleText key="why" text={reason} />,
                  ]}
                />
              )}
            </p>
          ))}
          <p>{t('approvals.always.again')}</p>
        </div>
      )}
      {count > 0 && (
        <div className="rowline">
          <button
            type="button"
            className="btn"
            aria-describedby={about}
            disabled={isBusy}
            aria-disabled={!isReady}
            onClick={onAllow}
          >
            {t('approvals.always.do', { count })}
          </button>
        </div>
      )}
    </div>
  )
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return names.slice(0, MAX_WITHOUT).map((name, at) => (
    <Fragment key={name}>
      {at > 0 && ', '}
      <code>
        <VisibleText text={name.length > 60 ? `${name.slice(0, 60)}…` : name} />
      </code>
    </Fragment>
  ))
}

/** The table has all parts. */
const MAX_WITHOUT = 10
