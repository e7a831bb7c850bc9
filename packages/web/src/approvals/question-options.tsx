import type { Question } from '@toolglot/agent'
import { Checkbox, RadioGroup } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { LongText } from '../ui/long-text.tsx'
import { choose, OTHER, type Selection } from './ask-state.ts'

/** The number of the person's own words among the options. */
const OTHER_VALUE = 'other'

/** One question with its options: one of them can be chosen, or several. Own words are always possible. */
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
  /** Digits choose for it. */
  readonly isCurrent: boolean
  readonly onEnter: () => void
  /** The card says something else above: the question stands here. */
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
    <div className={`asked ${isCurrent ? 'now' : ''}`} onFocus={onFocus}>
      <p id={id} className={isTitled ? 'rowline' : 'sr'}>
        <b>
          <VisibleText text={question.question} />
        </b>
        {isTitled && question.header !== '' && (
          <span className="chip call">
            <VisibleText text={question.header} />
          </span>
        )}
      </p>
      {multiSelect && <p className="dim">{t('approvals.question.several')}</p>}
      {multiSelect ? (
        <div className="opts" role="group" aria-labelledby={id}>
          {choices.map(({ value, choice, label, description, isChosen }, at) => (
            <Checkbox.Root
              key={value}
              className="opt"
              checked={isChosen}
              disabled={isBusy}
              onCheckedChange={() => onChange(choose(question, selection, choice))}
            >
              <span className="radio check">{isChosen && <Icon name="check" />}</span>
              <OptionText label={label} description={description} digit={at + 1} />
            </Checkbox.Root>
          ))}
        </div>
      ) : (
        <RadioGroup.Root
          className="opts"
          aria-labelledby={id}
          disabled={isBusy}
          value={hasOther ? OTHER_VALUE : chosen < 0 ? null : String(chosen)}
          onValueChange={(next) => {
            const found = choices.find(({ value }) => value === next)
            if (found) onChange(choose(question, selection, found.choice))
          }}
        >
          {choices.map(({ value, label, description }, at) => (
            <RadioGroup.Item key={value} value={value} className="opt">
              <span className="radio" />
              <OptionText label={label} description={description} digit={at + 1} />
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      )}
      {hasOther && (
        <label className="field">
          <span className="sr">{t('approvals.question.other.placeholder')}</span>
          <input
            // It was chosen just now, to write something.
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
        <small>
          <VisibleText text={description} />
        </small>
      )}
    </>
  )
}
