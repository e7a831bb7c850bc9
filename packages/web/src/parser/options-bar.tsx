import { memo } from 'react'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { useWords } from '../words/words.ts'
import { OptionButton, ProtocolOption } from './protocol-option.tsx'
import { changeParser, parserState, type ParserState, showText, takeTyped } from './parser-store.ts'
import { FINISHES } from './share/shared-reply.ts'
import type { UsedTools } from './use-tools.ts'
import type { KnownProtocols } from './use-protocols.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'

/** The parser options: the protocol, the tools, and how the reply ended. */
export function OptionsBar({
  state,
  tools,
  known,
  until,
}: {
  readonly state: ParserState
  readonly tools: UsedTools
  readonly known: KnownProtocols
  /** The amount of text that has arrived in a replay. */
  readonly until: number
}): ReactNode {
  const { t, number } = useWords()
  const { text } = state
  return (
    <div className="toolbar [&_.picker-button]:min-w-0" data-options>
      <ProtocolOption state={state} known={known} />
      <ToolsOption state={state} tools={tools} />
      <EndOption state={state} />
      <span className="min-w-0 flex-1" />
      <span className="text-ink-3 tabular-nums in-data-beside:hidden phone:hidden!">
        {until < text.length
          ? t('parser.characters.of', { until: number(until), count: text.length })
          : t('parser.characters', { count: text.length })}
      </span>
      {text !== '' && (
        <>
          <CopyButton text={textNow} />
          <Button look="ghost" small onClick={() => showText('')}>
            {t('parser.clear')}
          </Button>
        </>
      )}
    </div>
  )
}

/** The text including the latest typing. */
function textNow(): string {
  takeTyped()
  return parserState().text
}

const ToolsOption = memo(function ToolsOption({
  state: { tools: chosen, fileTools },
  tools,
}: {
  readonly state: ParserState
  readonly tools: UsedTools
}): ReactNode {
  const { t } = useWords()
  const count = tools.used?.length ?? 0
  const items: MenuItem[] = [
    ...(tools.hasFolder ? (['folder'] as const) : []),
    ...(fileTools ? (['file'] as const) : []),
    'none' as const,
  ].map((each) => ({
    label: t(`parser.tools.${each}`),
    isChosen: each === chosen || (each === 'none' && chosen === 'folder' && !tools.hasFolder),
    run: () => changeParser({ tools: each }),
  }))
  return (
    <Menu
      label={t('parser.tools')}
      items={items}
      trigger={
        <OptionButton label={t('parser.tools')} {...(tools.error && { title: tools.error })}>
          {tools.error
            ? t('parser.tools.failed')
            : tools.isPending
              ? t('shell.loading')
              : count === 0
                ? t('parser.tools.no')
                : t('parser.tools.count', { count })}
        </OptionButton>
      }
    />
  )
})

const EndOption = memo(function EndOption({
  state: { finish, startsInReasoning },
}: {
  readonly state: ParserState
}): ReactNode {
  const { t } = useWords()
  return (
    <Menu
      label={t('parser.finish')}
      items={[
        ...FINISHES.map((each) => ({
          label: t(`parser.finish.${each}.about`),
          isChosen: each === finish,
          run: () => changeParser({ finish: each }),
        })),
        {
          label: t('parser.startsInReasoning'),
          isChosen: startsInReasoning,
          run: () => changeParser({ startsInReasoning: !startsInReasoning }),
        },
      ]}
      trigger={
        <OptionButton label={t('parser.finish')}>
          {t(`parser.finish.${finish}`)}
          {startsInReasoning && <Chip tone="think">{t('parser.kind.reasoning')}</Chip>}
        </OptionButton>
      }
    />
  )
})
