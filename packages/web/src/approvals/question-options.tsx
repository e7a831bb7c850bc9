import type { Question } from '@toolglot/agent'
import { Checkbox, RadioGroup } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { LongText } from '../ui/long-text.tsx'
import { choose, OTHER, type Selection } from './ask-state.ts'
import { Chip } from '../ui/chip.tsx'
import { CARD_KEYS } from './card.tsx'

const OPTION =
  'group grid grid-cols-[auto_1fr_auto] items-center gap-x-[9px] gap-y-0.5 rounded-md border border-line px-2.5 py-[7px] text-left hover:border-line-2 hover:bg-hover aria-checked:border-ink-2 aria-checked:bg-hover'

/** The value of the user's own answer among the options. */
const OTHER_VALUE = 'other'

/**
 * A question with its options: one or several can be selected. The user's own answer is always
 * possible.
 */
export function QuestionOptions({
  question,
  selection,
  onChange,
  onFocus,
  isCurrent,
  onEnter,
  isTitled,
  isBusy,
}: {
  readonly question: Question
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
  readonly onFocus: () => void
  /** True if digits apply to this question. */
  readonly isCurrent: boolean
  readonly onEnter: () => void
  /** True if the heading of the card is not the question, so the question is shown here. */
  readonly isTitled: boolean
  readonly isBusy: boolean
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const { options, multiSelect = false } = question
  const { labels, hasOther, other } = selection
  const chosen = options.findIndex(({ label }) => labels.includes(label))
  const preview = options[chosen]?.preview
  const choices = [
    ...options.map(({ label, description }, at) => ({
      value: String(at),
      choice: label,
      label: <VisibleText text={label} />,
      description,
      isChosen: labels.includes(label),
    })),
    {
      value: OTHER_VALUE,
      choice: OTHER,
      label: t('approvals.question.other'),
      description: '',
      isChosen: hasOther,
    },
  ] as const
  return (
    <div
      className={`grid grid-cols-1 gap-1.5 [[data-question]+&]:border-t [[data-question]+&]:border-line [[data-question]+&]:pt-2.5 ${isCurrent ? '' : '[&_kbd]:invisible'}`}
      onFocus={onFocus}
      data-question
    >
      <p id={id} className={isTitled ? 'cluster' : 'sr-only'}>
        <b className="font-580 wrap-anywhere">
          <VisibleText text={question.question} />
        </b>
        {isTitled && question.header !== '' && (
          <Chip tone="call">
            <VisibleText text={question.header} />
          </Chip>
        )}
      </p>
      {multiSelect && <p className="text-ink-2">{t('approvals.question.several')}</p>}
      {multiSelect ? (
        <div className={`grid gap-1 ${CARD_KEYS}`} role="group" aria-labelledby={id}>
          {choices.map(({ value, choice, label, description, isChosen }, at) => (
            <Checkbox.Root
              key={value}
              className={OPTION}
              checked={isChosen}
              disabled={isBusy}
              onCheckedChange={() => onChange(choose(question, selection, choice))}
            >
              <span className="grid size-3.5 place-items-center rounded-sm border-[1.5px] border-ink-3 group-aria-checked:border-ink group-aria-checked:bg-ink group-aria-checked:text-bg [&_svg]:size-2.5 [&_svg]:stroke-[2.4]">
                {isChosen && <Icon name="check" />}
              </span>
              <OptionText label={label} description={description} digit={at + 1} />
            </Checkbox.Root>
          ))}
        </div>
      ) : (
        <RadioGroup.Root
          className={`grid gap-1 ${CARD_KEYS}`}
          aria-labelledby={id}
          disabled={isBusy}
          value={hasOther ? OTHER_VALUE : chosen < 0 ? null : String(chosen)}
          onValueChange={(next) => {
            const found = choices.find(({ value }) => value === next)
            if (found) onChange(choose(question, selection, found.choice))
          }}
        >
          {choices.map(({ value, label, description }, at) => (
            <RadioGroup.Item key={value} value={value} className={OPTION}>
              <span className="size-3.5 rounded-[50%] border-[1.5px] border-ink-3 group-aria-checked:border-[4.5px] group-aria-checked:border-ink" />
              <OptionText label={label} description={description} digit={at + 1} />
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      )}
      {hasOther && (
        <label className="field">
          <span className="sr-only">{t('approvals.question.other.placeholder')}</span>
          <input
            // The user has just selected it in order to type.
            autoFocus={other === ''}
            value={other}
            maxLength={10_000}
            disabled={isBusy}
            placeholder={t('approvals.question.other.placeholder')}
            onChange={(event) => onChange({ ...selection, other: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.repeat || isComposing(event.nativeEvent)) return
              onEnter()
            }}
          />
        </label>
      )}
      {preview !== undefined && preview !== '' && (
        <LongText
          key={chosen}
          text={preview}
          label={t('approvals.question.preview', { label: options[chosen]!.label })}
        />
      )}
    </div>
  )
}

function OptionText({
  label,
  description,
  digit,
}: {
  readonly label: ReactNode
  readonly description: string
  readonly digit: number
}): ReactNode {
  return (
    <>
      <span>{label}</span>
      <kbd aria-hidden="true">{digit}</kbd>
      {description !== '' && (
        <small className="col-start-2 text-12 text-ink-2">
          <VisibleText text={description} />
        </small>
      )}
    </>
  )
}
