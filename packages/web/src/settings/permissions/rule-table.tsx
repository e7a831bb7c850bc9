import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { PlaceText, type Settings } from '../place-text.tsx'
import { usePathText } from '../../folders/short-path.ts'
import { type ListedRule, ownRules, withoutRule, withRule } from './rules.ts'
import { VerdictChip } from './verdict-chip.tsx'
import { useRemoval } from '../use-settings.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ReviewLink } from '../page-frame.tsx'
import { Chip } from '../../ui/chip.tsx'

/** All rules, with where they are written and what is doubtful about them. */
export function RuleTable({
  settings,
  rules,
}: {
  readonly settings: Settings
  readonly rules: readonly ListedRule[]
}): ReactNode {
  const { t } = useWords()
  const pathText = usePathText()
  const doubtful = rules.filter(({ notes }) => notes.length > 0).length
  const isWithheld = rules.some(({ counts }) => !counts)
  return (
    <>
      {doubtful > 0 && (
        <div className="verdict verdict-ask">
          <Icon name="hand" />
          <span>{t('settings.rules.doubtful', { count: doubtful })}</span>
        </div>
      )}
      {rules.length === 0 ? (
        <p className="text-ink-2">{t('settings.rules.none')}</p>
      ) : (
        <table className="rule-list">
          <thead>
            <tr>
              <th scope="col">{t('settings.rules.verdict')}</th>
              <th scope="col">{t('settings.rule')}</th>
              <th scope="col">{t('settings.writtenIn')}</th>
              <th>
                <span className="sr-only">{t('settings.rules.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, at) => (
              <RuleRow key={at} {...{ rule, settings }} />
            ))}
          </tbody>
        </table>
      )}
      <p className="text-ink-2">
        {t('settings.rules.order')}{' '}
        {isWithheld
          ? t('settings.rules.withheld', { folder: pathText(settings.folder) })
          : t('settings.rules.elsewhere')}{' '}
        {isWithheld && <ReviewLink />}
      </p>
    </>
  )
}

function RuleRow({
  rule,
  settings,
}: {
  readonly rule: ListedRule
  readonly settings: Settings
}): ReactNode {
  const { t } = useWords()
  const { text, verdict, place, counts, isOwn, problem, notes } = rule
  return (
    <tr className={counts ? '' : 'off'}>
      <td>
        <VerdictChip verdict={verdict} />
      </td>
      <td>
        <code>
          <VisibleText text={text} />
        </code>
        {!counts && (
          <>
            {' '}
            <Chip outline>{t('settings.rules.noEffect')}</Chip>
          </>
        )}
        {problem !== undefined && (
          <div className="lint no">
            <Icon name="slash" />
            <VisibleText text={problem} />
          </div>
        )}
        {notes.map((note) => (
          <div className="lint" key={note}>
            <Icon name="hand" />
            <VisibleText text={note} />
          </div>
        ))}
      </td>
      <td className="src">
        <PlaceText place={place} settings={settings} />
      </td>
      <td>{isOwn && <RemoveRule rule={rule} />}</td>
    </tr>
  )
}

/** Removes a rule from the person's own settings. */
function RemoveRule({ rule: { text, verdict } }: { readonly rule: ListedRule }): ReactNode {
  const { t } = useWords()
  const { remove, isPending } = useRemoval()
  const onClick = (): void => {
    const key = `permissions.${verdict}`
    let at = 0
    void remove({
      change: {
        key,
        value(now) {
          const rules = ownRules(now, verdict)
          at = rules.indexOf(text)
          return withoutRule(rules, text)
        },
      },
      undo: { key, value: (now) => withRule(ownRules(now, verdict), text, at) },
      title: t('settings.rules.removed'),
      text: `${t(`settings.verdict.${verdict}`)} · ${text}`,
    })
  }
  const label = t('settings.rules.remove', { rule: text })
  return <IconButton icon="trash" label={label} disabled={isPending} onClick={onClick} />
}
