import type { ReactNode } from 'react'
import { Picker } from '../ui/picker.tsx'
import type { PickerOption } from '../ui/picker-list.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type InLanguage, useWords } from '../words/words.ts'
import { type ModelList, SCRIPT, type ServerModel, shortName } from './choices.ts'
import { PickerButton, type PickerProps } from './picker-button.tsx'

/** Stands for no choice, that is, the server's default. It cannot be a reference. */
const STANDARD = 'standard model'

/** Selects the model. */
export function ModelPicker({
  compose: { choices, picker },
  change,
  selected: { model, models, isScript },
  facts,
  isDisabled,
}: PickerProps): ReactNode {
  const words = useWords()
  const { t } = words
  const choose = (next: string | undefined): void => {
    // A protocol choice applies to one model only.
    const { model: _, protocol: __, ...others } = choices
    change({ choices: next === undefined ? others : { ...others, model: next } })
  }
  const before = facts && (facts.modelReference ?? facts.model)
  const first = before ?? (models?.isDemo ? SCRIPT : models?.choice.reference)
  const options: readonly PickerOption[] = [
    ...(first === undefined
      ? []
      : [
          {
            value: STANDARD,
            label: <Name reference={first} />,
            about: facts ? (
              t('compose.model.before')
            ) : (
              <VisibleText text={t('compose.model.chosen', { why: models?.choice.why ?? '' })} />
            ),
            keywords: [first],
          },
        ]),
    ...optionsOf(models, words).filter(({ value }) => value !== first),
  ]
  const why = choices.model === undefined && !facts ? models?.choice.why : undefined
  return (
    <Picker
      side="top"
      label={t('compose.model.find')}
      open={picker === 'model'}
      onOpenChange={(open) => change({ picker: open ? 'model' : undefined })}
      value={choices.model === undefined || choices.model === first ? STANDARD : choices.model}
      options={options}
      onChange={(next) => choose(next === STANDARD ? undefined : next)}
      onOther={choose}
      otherLabel={(typed) => t('compose.model.use', { name: typed })}
      footer={
        <p className="border-t border-line px-3.5 py-[7px] text-12 wrap-anywhere text-ink-3">
          {t('compose.model.other')}
        </p>
      }
      trigger={
        <PickerButton
          icon="cube"
          label={t('compose.model')}
          title={why === undefined ? (model ?? '') : `${model ?? ''}: ${why}`}
          isChanged={facts !== undefined && choices.model !== undefined}
          disabled={isDisabled}
        >
          <span className={isScript ? '' : 'font-mono'}>
            {isScript ? (
              t('compose.script')
            ) : model === undefined ? (
              t('shell.loading')
            ) : (
              <VisibleText text={shortName(model)} />
            )}
          </span>
        </PickerButton>
      }
    />
  )
}

function Name({ reference }: { readonly reference: string }): ReactNode {
  const { t } = useWords()
  if (reference === SCRIPT) return t('compose.script')
  return (
    <span className="font-mono">
      <VisibleText text={reference} />
    </span>
  )
}

function optionsOf(models: ModelList | undefined, words: InLanguage): readonly PickerOption[] {
  const { t } = words
  return [
    ...(models?.servers ?? []).flatMap(({ name: group, models: list }) =>
      list.map((each) => ({
        value: each.reference,
        label: <Name reference={each.reference} />,
        about: describe(each, words),
        group,
      })),
    ),
    ...(models?.providers ?? []).map(({ reference, name, variable, agreed }) => ({
      value: reference,
      label: <Name reference={reference} />,
      about: t(agreed ? 'compose.model.paid' : 'compose.model.paid.agree', { name, variable }),
      group: t('compose.model.providers'),
    })),
    {
      value: SCRIPT,
      label: t('compose.script'),
      about: t('compose.script.about'),
      keywords: [SCRIPT],
      group: t('compose.model.noModel'),
    },
  ]
}

function describe(
  { contextTokens, protocol, loaded, images }: ServerModel,
  { t, number }: InLanguage,
): ReactNode {
  const facts = [
    protocol,
    contextTokens !== undefined &&
      t('compose.model.context', { tokens: number(contextTokens, { notation: 'compact' }) }),
    loaded && t('compose.model.loaded'),
    images && t('compose.model.images'),
  ].filter((each) => typeof each === 'string')
  return facts.length === 0 ? undefined : facts.join(' · ')
}
