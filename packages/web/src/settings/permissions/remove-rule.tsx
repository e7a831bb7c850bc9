import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { useRemoval } from '../use-removal.ts'
import { type ListedRule, ownRules, withoutRule, withRule } from './rules.ts'

/** Removes a rule from the person's own settings. */
export function RemoveRule({ rule: { text, verdict } }: { readonly rule: ListedRule }): ReactNode {
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
  return (
    <button
      type="button"
      className="icon-btn sm"
      aria-label={label}
      title={label}
      disabled={isPending}
      onClick={onClick}
    >
      <Icon name="trash" />
    </button>
  )
}
