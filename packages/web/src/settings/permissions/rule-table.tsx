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

/** All rules with their locations and problems. */
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
        <table>
          <thead className="@max-[561px]:absolute @max-[561px]:[clip-path:inset(50%)]">
            <tr>
              <th className={HEAD} scope="col">
                {t('settings.rules.verdict')}
              </th>
              <th className={HEAD} scope="col">
                {t('settings.rule')}
              </th>
              <th className={HEAD} scope="col">
                {t('settings.writtenIn')}
              </th>
              <th className="w-7 p-0">
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

const HEAD = 'pt-[7px] pr-2.5 pb-1 pl-0 text-left align-top text-11 font-560 text-ink-3'
const CELL =
  'border-t border-line py-[7px] pr-2.5 pl-0 text-left align-top @max-[561px]:border-0 @max-[561px]:p-0'
const NOTE = 'mt-[3px] flex gap-1.5 text-12'
const NOTE_ICON = 'mt-0.5 size-[13px]'

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
    <tr className="@max-[561px]:grid @max-[561px]:grid-cols-[minmax(62px,auto)_minmax(0,1fr)_36px] @max-[561px]:gap-x-2.5 @max-[561px]:border-t @max-[561px]:border-line @max-[561px]:py-[7px]">
      <td className={`${CELL} w-[62px] @max-[561px]:w-auto`}>
        <VerdictChip verdict={verdict} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <code className={`text-[12.5px] ${counts ? '' : 'text-ink-3 line-through'}`}>
          <VisibleText text={text} />
        </code>
        {!counts && (
          <>
            {' '}
            <Chip outline>{t('settings.rules.noEffect')}</Chip>
          </>
        )}
        {problem !== undefined && (
          <div className={`${NOTE} text-no`}>
            <Icon name="slash" className={NOTE_ICON} />
            <VisibleText text={problem} />
          </div>
        )}
        {notes.map((note) => (
          <div className={`${NOTE} text-ask`} key={note}>
            <Icon name="hand" className={NOTE_ICON} />
            <VisibleText text={note} />
          </div>
        ))}
      </td>
      <td
        className={`${CELL} max-w-[230px] overflow-hidden text-12 text-ellipsis whitespace-nowrap text-ink-3 @max-[561px]:col-[2] @max-[561px]:row-[2] @max-[561px]:max-w-none @max-[561px]:wrap-anywhere @max-[561px]:whitespace-normal`}
      >
        <PlaceText place={place} settings={settings} />
      </td>
      <td className="w-7 border-t border-line px-0 pt-[5px] pb-[3px] text-left align-top @max-[561px]:col-[3] @max-[561px]:row-[1/3] @max-[561px]:w-auto @max-[561px]:border-0 @max-[561px]:p-0">
        {isOwn && <RemoveRule rule={rule} />}
      </td>
    </tr>
  )
}

/** Removes a rule from the user's own settings. */
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
