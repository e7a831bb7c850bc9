import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Loaded } from '../app/loaded.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { LongText } from '../ui/long-text.tsx'
import { Segments } from '../ui/segments.tsx'
import { useWords } from '../words/words.ts'
import { exampleArguments } from './example-arguments.ts'
import type { ListedTool } from './listed-tool.ts'
import { ProtocolButton } from './protocol-button.tsx'
import { usePrompt } from './use-prompt.ts'

/** In which protocol prompts are shown. */
export interface PromptChoice {
  readonly protocol: string
  readonly setProtocol: (protocol: string) => void
  /** Changes if the tools do. */
  readonly version: number
}

/** What a model reads about a tool, or about all that are on, in any protocol, with its size. */
export function PromptPreview({
  tool,
  prompt: { protocol, setProtocol, version },
}: {
  /** Without it, all tools that are on are shown. */
  readonly tool?: ListedTool
  readonly prompt: PromptChoice
}): ReactNode {
  const { t, number } = useWords()
  const [which, setWhich] = useState<'one' | 'all'>('one')
  const isOne = tool !== undefined && which === 'one'
  const call = useMemo(
    () => tool && { name: tool.name, arguments: exampleArguments(tool.parameters) },
    [tool],
  )
  const query = usePrompt({
    protocol,
    version,
    ...(isOne && { names: [tool.name] }),
    ...(call && { call }),
  })
  return (
    <section className="tools-prompt" aria-busy={query.isPlaceholderData}>
      <div className="rowline">
        <h3>{t('tools.prompt')}</h3>
        <span className="grow" />
        {tool && (
          <Segments
            label={t('tools.prompt.which')}
            value={which}
            onChange={setWhich}
            options={[
              { value: 'one', label: t('tools.prompt.one') },
              { value: 'all', label: t('tools.prompt.all') },
            ]}
          />
        )}
      </div>
      <div className="rowline">
        <ProtocolButton protocol={protocol} onChange={setProtocol} />
        {query.data && (
          <span className="dim-2 num">
            {t('tools.prompt.size', {
              characters: number(query.data.characters),
              tokens: number(query.data.tokens),
            })}
          </span>
        )}
        <span className="grow" />
        {query.data && <CopyButton text={query.data.prompt} label={t('tools.prompt.copy')} />}
      </div>
      <Loaded query={query}>
        {({ prompt: text, call: printed }) => (
          <>
            {text === '' ? (
              <p className="dim">{t('tools.prompt.none')}</p>
            ) : (
              <LongText
                key={`${protocol} ${which}`}
                text={text}
                className={`wire ${tool ? 'low' : ''}`}
                label={t('tools.prompt')}
              />
            )}
            {printed !== undefined && (
              <>
                <h3>{t('tools.call')}</h3>
                <LongText text={printed} className="wire low" label={t('tools.call')} />
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
