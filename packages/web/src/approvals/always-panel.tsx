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
import { Button } from '../ui/button.tsx'
import { Dot } from '../ui/dot.tsx'

/** The rules that “always” would add, where they are stored, and the parts without a rule. */
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
  /** True if the call can be allowed now. */
  readonly isReady: boolean
  /** The folder of the call, if known. */
  readonly folder: Partial<Pick<SelectedFolder, 'path' | 'offer' | 'trust'>> | undefined
}): ReactNode {
  const { t } = useWords()
  const about = useId()
  const rules = [...new Set(suggestions.flatMap((each) => ('rule' in each ? [each.rule] : [])))]
  /** The parts without a rule, grouped by reason. */
  const without = new Map<string, string[]>()
  for (const each of suggestions) {
    if (!('reason' in each)) continue
    const reason = reasonSentence(each.reason, t)
    without.set(reason, [...new Set([...(without.get(reason) ?? []), each.what])])
  }
  const count = rules.length
  const title = t('approvals.always.title', { count })
  /** Rules of an untrusted folder have no effect. */
  const isUntrusted = offer !== undefined && offer.trust !== 'trusted'
  const openDialog = useDialog()
  /** The reason applies to the whole call. */
  const isOneReason = count === 0 && without.size === 1
  return (
    <div id={id} className="card grid grid-cols-1 gap-[7px] px-3 py-2.5">
      <div className="cluster">
        <b className="font-580">{title}</b>
        <span className="min-w-0 flex-1" />
        {count > 0 && (
          <Segments
            className="flex-wrap"
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
          {/* Focusable, because it may scroll. */}
          <div className="max-h-[40vh] overflow-auto" tabIndex={0} role="region" aria-label={title}>
            <ul className="grid gap-1">
              {rules.map((rule) => (
                <li
                  key={rule}
                  className="flex items-baseline gap-2 font-code text-12 wrap-anywhere"
                >
                  <Dot tone="ok" />
                  <div>
                    <LongText text={rule} unseen={UNSEEN_IN_LINE}>
                      {(shown) => <ShellText text={shown} unseen={UNSEEN_IN_LINE} />}
                    </LongText>
                  </div>
                </li>
              ))}
            </ul>
          </div>
          <p className="text-ink-2" id={about}>
            {t(`approvals.always.${scope}.about`)}
          </p>
          {isUntrusted && path !== undefined && scopes.includes('folder') && (
            <p className="cluster text-ink-2">
              {t('approvals.always.untrusted')}
              {trust !== 'nothing' && (
                <Button small onClick={() => openDialog({ type: 'trust', folder: path })}>
                  {t('shell.review')}
                </Button>
              )}
            </p>
          )}
        </>
      )}
      {without.size > 0 && (
        <div className="text-ink-2">
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
        <div className="cluster">
          <Button
            aria-describedby={about}
            disabled={isBusy}
            aria-disabled={!isReady}
            onClick={onAllow}
          >
            {t('approvals.always.do', { count })}
          </Button>
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

/** The table lists all parts. */
const MAX_WITHOUT = 10
